/**
 * functions.json through HTTP. Heat was recorded phase by phase, and these rules say what its API
 * shows of each:
 * - A value is the value of an output.
 * - An error at parse or validation refuses the create.
 * - An error in the requirements refuses a create that has the snippet in a property.
 * - An error at resolution is the `output_error` of an output whose value is null.
 * - A condition is resolved at the create, so an error then refuses it.
 * - The requirements are those of a resource that has the snippet in its metadata.
 * - Where neither Heat nor Hearth brings a resource into its state, the function is called
 * directly.
 */
import type { Json } from "#lib/json.ts";
import { type Api, at, madeStack, settledStack } from "./api.ts";
import {
  asMetadata,
  asOutput,
  asProperty,
  type FunctionCase,
  functionCases,
} from "./function-cases.ts";
import {
  answerDifference,
  type Difference,
  documentDifference,
  type Play,
  refusal,
  statusDifference,
} from "./play.ts";
import { isOutOfReach, resolvedOutOfReach, stackInState } from "./resource-states.ts";

/** In the API's text of an error, a value in a condition has the path of its macro. */
const refusalOf = ({ mode, error }: FunctionCase): Json => {
  const { phase = "", type = "", message = "" } = error ?? {};
  if (phase === "dependencies") {
    return refusal(type, message.replace("outputs.o.value", "user.Properties.value"));
  }
  if (mode === "condition" && phase === "resolve" && type === "ValueError") {
    return refusal("StackValidationFailed", `outputs.o.value.if: ${message}`);
  }
  return refusal(type, message);
};

const isRefused = ({ mode, error }: FunctionCase): boolean =>
  error !== undefined && (error.phase !== "resolve" || mode === "condition");

const refused = async (api: Api, one: FunctionCase, version: string) => {
  const body =
    one.error?.phase === "dependencies" ? asProperty(one, version) : asOutput(one, version);
  const got = await api.send("POST", `/${api.newTenant()}/stacks`, body);
  // For a kind of error, the recording says only that it is refused.
  return one.error?.match === "kind"
    ? statusDifference(400, got)
    : answerDifference({ status: 400, body: refusalOf(one) }, got);
};

const kindOf = (value: Json): Json =>
  Array.isArray(value) ? value.map(kindOf) : typeof value === "object" ? "object" : typeof value;

const failedOutput = (one: FunctionCase, output: Json): Difference | null => {
  const { message = "", match } = one.error ?? {};
  const error = at(output, "output_error");
  if (error === null) {
    const text = `${JSON.stringify(message)} expected, ${JSON.stringify(output)} given`;
    return { cause: "resolves what Heat cannot", text, accepts: true };
  }
  const value = at(output, "output_value");
  if (match === "kind") return documentDifference(null, value);
  // Python prints a set in any order, so only the beginning of that text was recorded.
  const shown = match === "prefix" ? String(error).slice(0, message.length) : error;
  return documentDifference({ error: message, value: null }, { error: shown, value });
};

const outputDifference = (one: FunctionCase, output: Json): Difference | null => {
  if (one.error) return failedOutput(one, output);
  const { output_value: value = null, output_error: error } = {
    output_value: at(output, "output_value"),
    output_error: at(output, "output_error"),
  };
  if (error !== null) {
    const text = `${JSON.stringify(one.expected)} expected, the error ${String(error)} given`;
    return { cause: `an error for a value: ${String(error)}`.slice(0, 90), text, accepts: false };
  }
  return one.nondeterministic
    ? documentDifference(kindOf(one.expected ?? null), kindOf(value))
    : documentDifference(one.expected ?? null, value);
};

const shown = async (api: Api, one: FunctionCase, version: string) => {
  if (isOutOfReach(one)) {
    return documentDifference(one.expected ?? null, resolvedOutOfReach(one, version));
  }
  const made = await stackInState(api, one, version);
  const status = statusDifference(201, made);
  if (status) return status;
  const got = await api.send("GET", `${madeStack(made).path}/outputs/o`);
  return statusDifference(200, got) ?? outputDifference(one, at(got.body, "output"));
};

const inAllVersions = async (
  { versions }: FunctionCase,
  ask: (version: string) => Promise<Difference | null>,
): Promise<Difference | null> => {
  for (const version of versions) {
    const difference = await ask(version);
    if (difference) return { ...difference, text: `${version}: ${difference.text}` };
  }
  return null;
};

const requirements = async (api: Api, one: FunctionCase, version: string) => {
  const path = `/${api.newTenant()}/stacks`;
  const made = await api.send("POST", path, asMetadata(one, version));
  const status = statusDifference(201, made);
  if (status) return status;
  const stack = madeStack(made);
  await settledStack(api, stack);
  const got = await api.send("GET", `${stack.path}/resources`);
  const resources = at(got.body, "resources");
  const required = (Array.isArray(resources) ? resources : []).filter((resource) => {
    const users = at(resource, "required_by");
    return Array.isArray(users) && users.includes("user");
  });
  const names = required.map((resource) => String(at(resource, "resource_name")));
  return documentDifference(one.deps ?? null, names.toSorted());
};

const playsOf = (one: FunctionCase): readonly Play[] => {
  const ask = isRefused(one) ? refused : shown;
  const run = (api: Api) => inAllVersions(one, (version) => ask(api, one, version));
  if (one.deps === undefined) return [{ id: one.id, run }];
  const requires = (api: Api) => inAllVersions(one, (version) => requirements(api, one, version));
  return [
    { id: one.id, run },
    { id: `${one.id}:requires`, run: requires },
  ];
};

export const functionPlays = (): readonly Play[] => functionCases().flatMap(playsOf);
