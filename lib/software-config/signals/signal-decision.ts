/**
 * What a signal means for its deployment. A pure function with Heat's rules, preceded by a rule for
 * progress, which Heat designed (blueprint software-config-progress) but never built.
 */
import { type Json, type JsonObject, jsonEquals, mapOf } from "#lib/json.ts";
import type { ConfigOutput } from "#lib/model/software-config.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { PRINTED_KEYS, printedEnd } from "../deployments/printed-output.ts";

/** Heat's reason when an operation ended before its result arrived. */
export const DEPLOYMENT_CANCELLED = "Deployment cancelled.";

export interface FinalResult {
  readonly kind: "final";
  readonly status: "COMPLETE" | "FAILED";
  readonly statusReason: string;
  readonly outputValues: JsonObject;
  readonly event: string;
}

export type SignalDecision =
  | FinalResult
  | { readonly kind: "in progress"; readonly reason: string }
  | { readonly kind: "invalid"; readonly message: string };

export const isSameResult = (
  { status, statusReason, outputValues }: FinalResult,
  result: Pick<FinalResult, "statusReason" | "outputValues"> & { readonly status: string },
): boolean =>
  status === result.status &&
  statusReason === result.statusReason &&
  jsonEquals(outputValues, result.outputValues);

const CODE_KEY = "deploy_status_code";

const outputValuesOf = (
  details: JsonObject,
  outputs: readonly ConfigOutput[],
  previous: JsonObject,
): JsonObject => {
  const values = new Map<string, Json>(Object.entries(previous));
  for (const { name } of outputs) {
    const value = member(details, name);
    if (value !== undefined) values.set(name, value);
  }
  // Every result overwrites these, with null if it lacks them.
  for (const key of PRINTED_KEYS) values.set(key, printedEnd(key, details[key] ?? null));
  values.set(CODE_KEY, details[CODE_KEY] ?? null);
  return mapOf(values);
};

const codeFailure = (details: JsonObject): string | null => {
  const code = details[CODE_KEY] ?? null;
  return isEmpty(code) || pythonText(code) === "0" ? null : pythonText(code);
};

/** The presence of an error output fails the deployment, even if its value is empty. */
const errorOutputs = (details: JsonObject, outputs: readonly ConfigOutput[]): readonly string[] =>
  outputs.flatMap(({ name, error_output }) => {
    const value = member(details, name);
    return error_output && value !== undefined ? [`${name} : ${pythonText(value)}`] : [];
  });

const reasonText = (details: JsonObject, fallback: string): string => {
  const reason = details["deploy_status_reason"];
  return typeof reason === "string" && reason !== "" ? reason : fallback;
};

const eventText = (failed: boolean, code: string | null, errors: readonly string[]): string => {
  if (!failed) return "succeeded";
  return code !== null && errors.length === 0 ? `failed (${code})` : "failed";
};

const finalResult = (
  details: JsonObject,
  outputs: readonly ConfigOutput[],
  previous: JsonObject,
  isForced: boolean,
): FinalResult => {
  const code = codeFailure(details);
  const errors = errorOutputs(details, outputs);
  const codeCauses =
    code === null
      ? []
      : [`deploy_status_code : Deployment exited with non-zero status code: ${code}`];
  const forcedCauses = isForced ? [reasonText(details, "The server reported a failure")] : [];
  const causes = [...codeCauses, ...errors, ...forcedCauses];
  const failed = causes.length > 0;
  return {
    kind: "final",
    status: failed ? "FAILED" : "COMPLETE",
    statusReason: failed ? causes.join(", ") : "Outputs received",
    outputValues: outputValuesOf(details, outputs, previous),
    event: eventText(failed, code, errors),
  };
};

/**
 * `previous` contains the outputs of earlier actions. A `deploy_status` of COMPLETE does not force
 * success: a status code or an error output still fails the deployment.
 */
export const decideSignal = (
  details: JsonObject,
  outputs: readonly ConfigOutput[],
  previous: JsonObject,
): SignalDecision => {
  const status = details["deploy_status"] ?? null;
  if (status === "IN_PROGRESS") {
    return { kind: "in progress", reason: reasonText(details, "The server has started it") };
  }
  if (status !== null && status !== "COMPLETE" && status !== "FAILED") {
    return {
      kind: "invalid",
      message: "deploy_status must be one of IN_PROGRESS, COMPLETE and FAILED.",
    };
  }
  return finalResult(details, outputs, previous, status === "FAILED");
};
