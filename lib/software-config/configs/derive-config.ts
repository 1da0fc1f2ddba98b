/**
 * The derived config is what a deployment sends to its server for one action: the source config
 * with resolved inputs and the engine's own inputs. Pure, so a repetition derives the same config.
 */

import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, jsonEquals, mapOf } from "#lib/json.ts";
import type { ConfigContent, ConfigInput } from "#lib/model/software-config.ts";
import { isJsonArray, member, singleMember } from "#lib/template/json-shape.ts";

export interface Derivation {
  readonly source: ConfigContent | null;
  readonly serverId: string;
  readonly action: string;
  readonly stackName: string;
  readonly stackId: string;
  readonly resourceName: string;
  readonly physicalName: string;
  readonly name: string | null;
  readonly inputValues: JsonObject;
  readonly signalTransport: string;
  readonly signalUrl: string | null;
  readonly substitution: InputSubstitution | null;
}

export const NO_SIGNAL = "NO_SIGNAL";
export const UNGROUPED = "Heat::Ungrouped";

export const awaitsSignal = ({ inputs }: ConfigContent): boolean =>
  inputs.findLast(({ name }) => name === "deploy_signal_transport")?.value !== NO_SIGNAL;

const engineInput = (name: string, description: string, value: string): ConfigInput => ({
  name,
  description,
  type: "String",
  value,
});

/**
 * Stock agents send PUT if asked for PUT, otherwise POST, and retry only PUT. CFN_SIGNAL gets POST,
 * because its clients may expect that.
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
const RESERVED_NAMES = ["request", "os_config_files", "local", "cfn", "heat", "ec2", "zaqar"];

/**
 * Agents of the group os-apply-config use the name as a file name. A safe name cannot leave their
 * folder or hide one of their files.
 */
export const safeName = (name: string): string => {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/g, "-").slice(0, NAME_CHARS_MAX);
  return RESERVED_NAMES.includes(safe) || !/^[A-Za-z0-9]/.test(safe) ? `0${safe}` : safe;
};

/** If several inputs have one name, the last one counts, as in Heat. */
const derivedContent = (
  { source, substitution }: Derivation,
  inputs: readonly ConfigInput[],
): Json => {
  if (substitution === null) return source?.config || "";
  const values = new Map(inputs.map((input) => [input.name, input.value ?? null]));
  return substituteInputs(source?.config || {}, values, substitution);
};

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

export const mustReplaceDeployment = (before: ConfigContent, after: ConfigContent): boolean => {
  const valuesBefore = new Map(before.inputs.map((input) => [input.name, input.value ?? null]));
  return after.inputs.some((input) => {
    const valueBefore = valuesBefore.get(input.name);
    const flagged = input.replace_on_change === true && valueBefore !== undefined;
    return flagged && !jsonEquals(valueBefore, input.value ?? null);
  });
};

export interface InputSubstitution {
  readonly inputKey: string;
  readonly isStrict: boolean;
}

const inputValue = (
  name: string,
  values: ReadonlyMap<string, Json>,
  { isStrict }: InputSubstitution,
): Json => {
  if (isStrict && !values.has(name)) {
    const message = `The Parameter (${name}) was not provided.`;
    throw new RequestError("UserParameterMissing", 400, message);
  }
  return values.get(name) ?? null;
};

/**
 * Replaces each map `{<inputKey>: "name"}`, at any depth, by the input's value. The value itself is
 * not searched. Throws Heat's UserParameterMissing for a missing input if STRICT is set.
 */
export const substituteInputs = (
  snippet: Json,
  values: ReadonlyMap<string, Json>,
  substitution: InputSubstitution,
): Json => {
  const within = (value: Json): Json => substituteInputs(value, values, substitution);
  if (isJsonArray(snippet)) return snippet.map(within);
  if (!isJsonObject(snippet)) return snippet;
  const [key, name] = singleMember(snippet) ?? [];
  if (key === substitution.inputKey && typeof name === "string") {
    return inputValue(name, values, substitution);
  }
  return mapMembers(snippet, within);
};

const mapMembers = (object: JsonObject, change: (value: Json) => Json): JsonObject =>
  mapOf(Object.entries(object).map(([key, value]) => [key, change(value)]));

export const COMPONENT_GROUP = "component";

const actionsOf = (entry: Json): readonly Json[] =>
  isJsonObject(entry) && Array.isArray(entry["actions"]) ? entry["actions"] : [];

const componentEntries = (config: Json): readonly Json[] =>
  isJsonObject(config) && Array.isArray(config["configs"]) ? config["configs"] : [];

/** The first entry that lists the action. Agents pick the same one. */
export const componentEntryFor = (config: Json, action: string): JsonObject | null => {
  const entry = componentEntries(config).find((candidate) => actionsOf(candidate).includes(action));
  return isJsonObject(entry) ? entry : null;
};

/** A component itself says on which actions it runs; the deployment's `actions` are ignored. */
export const isDeployedOn = (
  source: ConfigContent | null,
  actions: readonly string[],
  action: string,
): boolean =>
  source?.group === COMPONENT_GROUP
    ? componentEntryFor(source.config, action) !== null
    : actions.includes(action);
