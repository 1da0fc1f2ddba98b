/**
 * What a signal says about its deployment, as a pure function: Heat's rules, and before them the rule
 * for progress, which Heat designed (blueprint software-config-progress) and never built.
 */
import { type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { ConfigOutput } from "#lib/model/software-config.ts";
import { isEmpty, member } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { PRINTED_KEYS, printedEnd } from "../deployments/printed-output.ts";

/** Heat's reason where an operation was ended before there was a result. */
export const DEPLOYMENT_CANCELLED = "Deployment cancelled.";

export interface FinalResult {
  readonly signal: "final";
  readonly status: "COMPLETE" | "FAILED";
  readonly statusReason: string;
  /** Those of earlier actions, overwritten key by key; of what was printed the end. */
  readonly outputValues: JsonObject;
  /** How the event goes on after `deployment ID`. */
  readonly event: string;
}

export type SignalDecision =
  | FinalResult
  | { readonly signal: "in progress"; readonly reason: string }
  | { readonly signal: "invalid"; readonly message: string };

/** Whether a final signal says of its deployment what the result before it has said. */
export const saysTheSame = (
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
  // Overwritten by every result, with null where it lacks them.
  for (const key of PRINTED_KEYS) values.set(key, printedEnd(key, details[key] ?? null));
  values.set(CODE_KEY, details[CODE_KEY] ?? null);
  return Object.fromEntries(values);
};

const codeFailure = (details: JsonObject): string | null => {
  const code = details[CODE_KEY] ?? null;
  return isEmpty(code) || pythonText(code) === "0" ? null : pythonText(code);
};

/** An error output fails the deployment by being there, whatever its value. */
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
  const causes = [
    ...(code === null
      ? []
      : [`deploy_status_code : Deployment exited with non-zero status code: ${code}`]),
    ...errors,
    ...(isForced ? [reasonText(details, "The server reported a failure")] : []),
  ];
  const failed = causes.length > 0;
  return {
    signal: "final",
    status: failed ? "FAILED" : "COMPLETE",
    statusReason: failed ? causes.join(", ") : "Outputs received",
    outputValues: outputValuesOf(details, outputs, previous),
    event: eventText(failed, code, errors),
  };
};

/** `previous` are the outputs of earlier actions. COMPLETE forces nothing: a status code or an error output still fails it. */
export const decideSignal = (
  details: JsonObject,
  outputs: readonly ConfigOutput[],
  previous: JsonObject,
): SignalDecision => {
  const status = details["deploy_status"] ?? null;
  if (status === "IN_PROGRESS") {
    return { signal: "in progress", reason: reasonText(details, "The server has started it") };
  }
  if (status !== null && status !== "COMPLETE" && status !== "FAILED") {
    return {
      signal: "invalid",
      message: "deploy_status must be one of IN_PROGRESS, COMPLETE and FAILED.",
    };
  }
  return finalResult(details, outputs, previous, status === "FAILED");
};
