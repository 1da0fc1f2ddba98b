/**
 * The derived config: what a deployment sends to its server for one action. It copies the source
 * config, resolves the inputs and adds the engine's own. Pure: the same call derives the same.
 */
import { type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { ConfigContent, ConfigInput } from "#lib/model/software-config.ts";
import { member } from "#lib/template/json-shape.ts";
import { type InputSubstitution, substituteInputs } from "./structured-inputs.ts";

export interface Derivation {
  /** Null: the deployment names no config. */
  readonly source: ConfigContent | null;
  readonly serverId: string;
  readonly action: string;
  readonly stackName: string;
  readonly stackId: string;
  readonly resourceName: string;
  /** The deployment's physical name, which names the derived config if nothing else does. */
  readonly physicalName: string;
  /** The `name` property. */
  readonly name: string | null;
  readonly inputValues: JsonObject;
  readonly signalTransport: string;
  /** Null with NO_SIGNAL. */
  readonly signalUrl: string | null;
  /** How to put the inputs into a structured config; null: not a structured deployment. */
  readonly substitution: InputSubstitution | null;
}

export const NO_SIGNAL = "NO_SIGNAL";
export const UNGROUPED = "Heat::Ungrouped";

/** Whether the server must send a result. The server reads the same input. */
export const awaitsSignal = ({ inputs }: ConfigContent): boolean =>
  inputs.findLast(({ name }) => name === "deploy_signal_transport")?.value !== NO_SIGNAL;

const engineInput = (name: string, description: string, value: string): ConfigInput => ({
  name,
  description,
  type: "String",
  value,
});

/**
 * Stock agents send PUT for PUT and POST for anything else. They retry only PUT. So only
 * CFN_SIGNAL gets POST, which its clients may expect.
 */
const signalInputs = ({ signalUrl, signalTransport }: Derivation): readonly ConfigInput[] =>
  signalUrl === null
    ? []
    : [
        engineInput("deploy_signal_id", "Where the server sends the result to", signalUrl),
        engineInput(
          "deploy_signal_verb",
          "The HTTP verb with which the result is sent",
          signalTransport === "CFN_SIGNAL" ? "POST" : "PUT",
        ),
      ];

const engineInputs = (derivation: Derivation): readonly ConfigInput[] => {
  const { serverId, action, stackName, stackId, resourceName, signalTransport } = derivation;
  return [
    engineInput("deploy_server_id", "The server that the deployment is for", serverId),
    engineInput("deploy_action", "The action that is being deployed", action),
    engineInput("deploy_stack_id", "The stack of the deployment", `${stackName}/${stackId}`),
    engineInput("deploy_resource_name", "The name of the deployment in its stack", resourceName),
    engineInput("deploy_signal_transport", "How the server reports the result", signalTransport),
    ...signalInputs(derivation),
    engineInput(
      "deploy_status_aware",
      "Whether progress may be reported before the result",
      "true",
    ),
  ];
};

const derivedInputs = (derivation: Derivation): readonly ConfigInput[] => {
  const { inputValues } = derivation;
  const declared = derivation.source?.inputs ?? [];
  const resolved = declared.map((input): ConfigInput => {
    const given = member(inputValues, input.name);
    return { ...input, value: given === undefined ? (input.default ?? null) : given };
  });
  const names = new Set(declared.map(({ name }) => name));
  const undeclared = Object.entries(inputValues)
    .filter(([name]) => !names.has(name))
    .map(([name, value]): ConfigInput => ({ name, type: "String", value }));
  return [...resolved, ...undeclared, ...engineInputs(derivation)];
};

const NAME_CHARS_MAX = 200;
/** Agents keep files of these names for themselves. */
const RESERVED_NAMES = ["request", "os_config_files", "local", "cfn", "heat", "ec2", "zaqar"];

/**
 * Agents of the group os-apply-config use it as a file name. A safe name cannot leave their folder
 * or hide one of their files.
 */
export const safeName = (name: string): string => {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/g, "-").slice(0, NAME_CHARS_MAX);
  return RESERVED_NAMES.includes(safe) || !/^[A-Za-z0-9]/.test(safe) ? `0${safe}` : safe;
};

/** If inputs share a name, the last one counts, as in Heat. */
const derivedContent = (
  { source, substitution }: Derivation,
  inputs: readonly ConfigInput[],
): Json => {
  if (substitution === null) return source?.config || "";
  const values = new Map(inputs.map((input) => [input.name, input.value ?? null]));
  return substituteInputs(source?.config || {}, values, substitution);
};

/** Throws Heat's UserParameterMissing if a strict structured deployment lacks an input. */
export const deriveConfig = (derivation: Derivation): ConfigContent => {
  const { source } = derivation;
  const inputs = derivedInputs(derivation);
  return {
    name: safeName(derivation.name || source?.name || derivation.physicalName),
    group: source?.group || UNGROUPED,
    config: derivedContent(derivation, inputs),
    inputs,
    outputs: source?.outputs ?? [],
    options: source?.options ?? {},
  };
};

/** Whether an input with `replace_on_change` differs from the config that was derived before. */
export const mustReplaceDeployment = (before: ConfigContent, after: ConfigContent): boolean => {
  const valuesBefore = new Map(before.inputs.map((input) => [input.name, input.value ?? null]));
  return after.inputs.some((input) => {
    const valueBefore = valuesBefore.get(input.name);
    const flagged = input.replace_on_change === true && valueBefore !== undefined;
    return flagged && !jsonEquals(valueBefore, input.value ?? null);
  });
};
