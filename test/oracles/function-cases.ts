import * as z from "zod";
import { isJsonObject, type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { json, jsonObject, readCases } from "./oracle-files.ts";

const Resource = z.object({
  reference_id: z.string().optional(),
  attrs: jsonObject.optional(),
  action: z.string().optional(),
  status: z.string().optional(),
  condition: z.string().optional(),
  nodata: z.boolean().optional(),
});

const Case = z.object({
  id: z.string(),
  mode: z.enum(["value", "condition"]),
  versions: z.array(z.string()),
  snippet: json,
  params: jsonObject,
  parameters: jsonObject.optional(),
  parameter_defaults: jsonObject.optional(),
  resources: z.record(z.string(), Resource).optional(),
  files: jsonObject.optional(),
  conditions: json.optional(),
  parent: z
    .object({
      metadata: jsonObject.optional(),
      deletion_policy: z.string(),
      update_policy: jsonObject.optional(),
    })
    .optional(),
  deps: z.array(z.string()).optional(),
  expected: json.optional(),
  nondeterministic: z.boolean().optional(),
  error: z
    .object({
      phase: z.enum(["parse", "validate", "dependencies", "resolve"]),
      type: z.string(),
      message: z.string(),
      match: z.enum(["exact", "kind", "prefix", "pyrepr"]),
    })
    .optional(),
});
export type FunctionCase = z.infer<typeof Case>;

/**
 * Heat was recorded as a library, with integer keys. Its API sends the engine JSON, where keys are
 * text; these are Heat's results for the same keys as text.
 */
const WITH_TEXT_KEYS: Readonly<Record<string, Json>> = {
  "str_replace-0232": "a",
  "str_replace_vstrict-0336": "a",
  "map_replace-0413": { k1: 1 },
  "map_replace-0414": { k1: true },
};
const INTEGER_KEY = /"\$int:(\d+)"/g;

const asReceived = (one: FunctionCase): FunctionCase => {
  const text = JSON.stringify(one);
  const withTextKeys = WITH_TEXT_KEYS[one.id];
  if (withTextKeys === undefined) return one;
  const { error: _, ...received } = Case.parse(parseJson(text.replace(INTEGER_KEY, '"$1"')));
  return { ...received, expected: withTextKeys };
};

export const functionCases = (): readonly FunctionCase[] =>
  readCases("functions.json", Case).map(asReceived);

const FILE_VERSION = "2021-04-16";
/** Heat's API accepts the section of conditions since this version. */
const CONDITIONS_SINCE = "2016-10-14";

const endless = (operation: "create" | "delete"): JsonObject => ({
  type: "OS::Heat::TestResource",
  properties: { action_wait_secs: { [operation]: -1 } },
});

/** A template used as a type. Its outputs are the attributes of the recorded resource. */
const typeTemplate = (
  { reference_id: reference, attrs = {}, status, action }: z.infer<typeof Resource>,
  refers: boolean,
): JsonObject => {
  const values = { ...attrs, ...(refers && reference ? { "OS::stack_id": reference } : {}) };
  const failing = { type: "OS::Heat::TestResource", properties: { fail: true } };
  return {
    heat_template_version: FILE_VERSION,
    parameters: { turn: { type: "string", default: "first" } },
    resources:
      status === "FAILED"
        ? { failing }
        : {
            holder: { type: "OS::Heat::Value", properties: { value: { get_param: "turn" } } },
            ...(action === "DELETE" ? { staying: endless("delete") } : {}),
          },
    outputs: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  };
};

const REFERS = /"get_resource"|"Ref"/;
const NAMES_NO_ATTRIBUTE = /: The Referenced Attribute /;

/** A template can gain any output, so only a type of Heat's own refuses an attribute it lacks. */
const strictResources = ({ resources = {} }: FunctionCase): Sources => {
  const strict = { type: "OS::Heat::Value", properties: { value: "x" } };
  return {
    resources: Object.fromEntries(Object.keys(resources).map((name) => [name, strict])),
    files: {},
  };
};

interface Sources {
  readonly resources: JsonObject;
  readonly files: JsonObject;
}

/** Another `turn` than before makes an update visit the resources. */
const recordedResources = (one: FunctionCase, turn: string): Sources => {
  const refers = REFERS.test(JSON.stringify(one.snippet));
  const entries = Object.entries(one.resources ?? {});
  const resource = (name: string, condition: string | undefined): JsonObject => ({
    type: `${name}.yaml`,
    properties: { turn },
    ...(condition === undefined ? {} : { condition }),
  });
  return {
    resources: Object.fromEntries(
      entries.map(([name, { condition }]) => [name, resource(name, condition)]),
    ),
    files: Object.fromEntries(
      entries.map(([name, recorded]) => [
        `${name}.yaml`,
        JSON.stringify(typeTemplate(recorded, refers)),
      ]),
    ),
  };
};

const conditionsOf = (one: FunctionCase, version: string): JsonObject => {
  const { conditions = null } = one;
  const recorded = isJsonObject(conditions) ? conditions : {};
  const all = one.mode === "condition" ? { ...recorded, c: one.snippet } : recorded;
  const has = version >= CONDITIONS_SINCE && Object.keys(all).length > 0;
  return has ? { conditions: all } : {};
};

const stackBody = (
  one: FunctionCase,
  version: string,
  { resources, files }: Sources,
  more: JsonObject,
): JsonObject => ({
  stack_name: "mystack",
  template: {
    heat_template_version: version,
    ...(one.parameters ? { parameters: one.parameters } : {}),
    ...conditionsOf(one, version),
    ...(Object.keys(resources).length > 0 ? { resources } : {}),
    ...more,
  },
  files: { ...one.files, ...files },
  environment: { parameters: one.params, parameter_defaults: one.parameter_defaults ?? {} },
});

/** A snippet in a condition is the condition `c`. */
const outputOf = ({ mode, snippet }: FunctionCase): JsonObject => {
  const value = mode === "condition" ? { if: ["c", true, false] } : snippet;
  return { outputs: { o: { value } } };
};

export const asOutput = (one: FunctionCase, version: string, turn = "first"): JsonObject => {
  const isStrict = NAMES_NO_ATTRIBUTE.test(one.error?.message ?? "");
  const sources = isStrict ? strictResources(one) : recordedResources(one, turn);
  return stackBody(one, version, sources, outputOf(one));
};

/** The recorded resources do not begin, because they wait for one that never completes. */
export const asOutputBehindGate = (one: FunctionCase, version: string): JsonObject => {
  const { resources, files } = recordedResources(one, "first");
  const waiting = Object.entries(resources).map(([name, resource]): [string, Json] => [
    name,
    isJsonObject(resource) ? { ...resource, depends_on: "gate" } : resource,
  ]);
  const behind = { gate: endless("create"), ...Object.fromEntries(waiting) };
  return stackBody(one, version, { resources: behind, files }, outputOf(one));
};

export const asNothing = (one: FunctionCase, version: string): JsonObject => ({
  ...asOutput(one, version),
  template: { heat_template_version: version },
});

export const asNestedOutput = (one: FunctionCase, version: string): JsonObject => {
  const { resources: _, ...inner } = one;
  const nested = at(stackBody(inner, version, NO_SOURCES, nestedOutputs(one)));
  const { metadata, deletion_policy: policy } = one.parent ?? { deletion_policy: "Delete" };
  const parent = {
    type: "child.yaml",
    properties: one.params,
    deletion_policy: policy,
    ...(metadata ? { metadata } : {}),
  };
  return {
    stack_name: "mystack",
    template: {
      heat_template_version: FILE_VERSION,
      resources: { parent },
      outputs: { o: { value: { get_attr: ["parent", "o"] } } },
    },
    files: { "child.yaml": JSON.stringify(nested) },
  };
};

const NO_SOURCES: Sources = { resources: {}, files: {} };
const at = ({ template = null }: JsonObject): Json => template;
const nestedOutputs = ({ snippet }: FunctionCase): JsonObject => ({
  outputs: { o: { value: snippet } },
});

export const asProperty = (one: FunctionCase, version: string): JsonObject => {
  const { resources, files } = recordedResources(one, "first");
  const user = { type: "OS::Heat::Value", properties: { value: one.snippet } };
  return stackBody(one, version, { resources: { ...resources, user }, files }, {});
};

/**
 * The snippet in the metadata of a resource, which then waits for the resources that it names. In a
 * property, a function that needs their values would refuse the create.
 */
export const asMetadata = (one: FunctionCase, version: string): JsonObject => {
  const { resources, files } = recordedResources(one, "first");
  const user = { type: "OS::Heat::None", metadata: { value: one.snippet } };
  return stackBody(one, version, { resources: { ...resources, user }, files }, {});
};
