import { describe, expect, it } from "vitest";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { visitCalls } from "#lib/template/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { isEmpty } from "#lib/template/json-shape.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { resolveOutputs } from "#lib/template/resolve.ts";
import { type Facade, pseudoParameters, type ResourceReference } from "#lib/template/scope.ts";
import { finished } from "#lib/template/steps.ts";
import { validating } from "#lib/template/validate.ts";
import { readVersion } from "#lib/template/versions.ts";
import { bound, parameterValues } from "./build.ts";
import { failureOf, hasOracles, json, jsonObject, readCases } from "./oracles.ts";

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
  group: z.string(),
  mode: z.string(),
  versions: z.array(z.string()),
  snippet: json,
  params: jsonObject,
  parameters: jsonObject.optional(),
  parameter_defaults: jsonObject.optional(),
  resources: z.record(z.string(), Resource).optional(),
  files: z.record(z.string(), z.string()).optional(),
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
  error: z
    .object({ phase: z.string(), type: z.string(), message: z.string(), match: z.string() })
    .optional(),
});
type Case = z.infer<typeof Case>;

/** The functions that Heat has and Hearth lacks. All cases of the others run. */
const LACKING = new Set(["yaql"]);
/** In these actions Heat reads all attributes as null. */
const UNREAD = new Set(["INIT", "DELETE", "RESTORE"]);
/** Heat gives all attributes in fewer actions than one attribute. Here both depend on `live`. */
const FEWER_ACTIONS = new Set(["ROLLBACK", "SNAPSHOT", "ADOPT"]);

const isInScope = (oracle: Case): boolean => {
  const resources = Object.values(oracle.resources ?? {});
  if (resources.some((resource) => FEWER_ACTIONS.has(resource.action ?? ""))) return false;
  return !resources.some((resource) => resource.status === "FAILED");
};

const callsLacking = (version: string, snippet: Json): boolean => {
  let lacks = false;
  const functions = functionsOf(readVersion({ heat_template_version: version }));
  visitCalls(functions, snippet, "", ({ definition }) => {
    lacks ||= LACKING.has(definition.name);
  });
  return lacks;
};

/**
 * Heat was recorded as a library, with keys that are integers. They reach Heat's engine as text,
 * because its API sends it JSON. For these keys as text, this is what Heat gives.
 */
const WITH_TEXT_KEYS: Readonly<Record<string, Json>> = {
  "str_replace-0232": "a",
  "str_replace_vstrict-0336": "a",
  "map_replace-0413": { k1: 1 },
  "map_replace-0414": { k1: true },
};
const INTEGER_KEY = /"\$int:(\d+)"/g;

const asReceived = (oracle: Case): Case => {
  const text = JSON.stringify(oracle);
  if (text.search(INTEGER_KEY) === -1) return oracle;
  const { error: _, ...received } = Case.parse(parseJson(text.replace(INTEGER_KEY, '"$1"')));
  return { ...received, expected: present(WITH_TEXT_KEYS[oracle.id], oracle.id) };
};

/** One test for each case, with all versions in which Heat gave that result. */
const cases = readCases("functions.json", Case)
  .filter(isInScope)
  .map(asReceived)
  .map((oracle) => ({
    ...oracle,
    versions: oracle.versions.filter((version) => !callsLacking(version, oracle.snippet)),
  }))
  .filter(({ versions }) => versions.length > 0);

const namedResources = (oracle: Case): readonly [string, JsonObject][] =>
  Object.entries(oracle.resources ?? {}).map(([name, { condition }]) => [
    name,
    { type: name, ...(condition === undefined ? {} : { condition }) },
  ]);

/** Heat was recorded with conditions in all versions. Its API takes them in later ones only. */
const conditionsOf = ({ conditions = null }: Case, version: string): JsonObject =>
  version >= "2016-10-14" && isJsonObject(conditions) ? conditions : {};

/** A snippet in the place of a condition is the condition `c`, which the output shows. */
const asOutput = (oracle: Case, version: string): JsonObject => {
  const asCondition = {
    conditions: { ...conditionsOf(oracle, version), c: oracle.snippet },
    outputs: { o: { value: { if: ["c", true, false] } } },
  };
  return oracle.mode === "condition"
    ? sourceOf(oracle, version, asCondition)
    : sourceOf(oracle, version, { outputs: { o: { value: oracle.snippet } } });
};

const sourceOf = (oracle: Case, version: string, more: JsonObject): JsonObject => ({
  heat_template_version: version,
  parameters: oracle.parameters ?? {},
  ...(isEmpty(conditionsOf(oracle, version)) ? {} : { conditions: conditionsOf(oracle, version) }),
  resources: Object.fromEntries(namedResources(oracle)),
  ...more,
});

const attributesOf = (oracle: Case) => (type: string) => ({
  properties: "any" as const,
  attributes: oracle.resources?.[type]?.attrs ?? {},
});

const referenceOf =
  (oracle: Case) =>
  (name: string): ResourceReference | null => {
    const resource = oracle.resources?.[name];
    if (resource === undefined) return null;
    const live = !UNREAD.has(resource.action ?? "CREATE") && resource.nodata !== true;
    return { refId: resource.reference_id ?? null, attributes: resource.attrs ?? {}, live };
  };

const PSEUDO = pseudoParameters(
  {
    id: "11111111-2222-3333-4444-555555555555",
    name: "mystack",
    tenant: "test_tenant_id",
  },
  { version: "2021-04-16" },
);

const facadeOf = ({ parent }: Case): Facade | undefined =>
  parent && {
    metadata: parent.metadata ?? {},
    deletionPolicy: parent.deletion_policy,
    updatePolicy: parent.update_policy ?? {},
  };

const valuesOf = (oracle: Case, source: JsonObject) =>
  parameterValues(parseTemplate(source), oracle.params, oracle.parameter_defaults ?? {});

const evaluate = (oracle: Case, version: string): { value: Json; error?: string } => {
  const source = asOutput(oracle, version);
  const parameters = valuesOf(oracle, source);
  const files = oracle.files ?? {};
  const facade = facadeOf(oracle);
  const template = bound(source, parameters, { pseudo: PSEUDO, files, facade });
  finished(
    validating(template, parameters, { files, facade }, attributesOf(oracle), { strict: true }),
  );
  const output = template.outputs.get("o") ?? { name: "o", description: "", value: null };
  const [result] = resolveOutputs(template, [output], {
    parameters,
    pseudo: PSEUDO,
    files,
    facade,
    resource: referenceOf(oracle),
  });
  return present(result, "the value of the output");
};

const asProperty = (oracle: Case, version: string) => {
  const user = { type: "T", properties: { p: oracle.snippet } };
  const resources = { ...Object.fromEntries(namedResources(oracle)), user };
  const source = sourceOf(oracle, version, { resources });
  return bound(source, valuesOf(oracle, source), { pseudo: PSEUDO });
};

const titled = (list: readonly Case[]) => list.map((oracle) => [oracle.id, oracle] as const);

const failing = (phases: readonly string[]) =>
  cases.filter(({ error }) => error !== undefined && phases.includes(error.phase));

describe.runIf(hasOracles)("functions as the real Heat evaluates them", () => {
  it("has cases for every function", () => {
    const groups = new Set(cases.map(({ group }) => group));
    const built = [...functionsOf("2021-04-16").keys()].filter((name) => !LACKING.has(name));
    const removed = built.filter((name) => name === "Ref" || name.startsWith("Fn::"));
    expect(built.filter((name) => !groups.has(name))).toEqual(removed);
    expect(cases.length).toBe(478);
  });

  it.each(titled(cases.filter(({ error }) => error === undefined)))("%s: value", (_, oracle) => {
    for (const version of oracle.versions) {
      expect(evaluate(oracle, version), version).toStrictEqual({ value: oracle.expected });
    }
  });

  it.each(titled(failing(["parse", "validate"])))("%s: refused", (_, oracle) => {
    for (const version of oracle.versions) {
      const failure = failureOf(() => evaluate(oracle, version));
      const message = oracle.error?.message;
      expect(failure, version).toEqual({ code: "StackValidationFailed", message });
    }
  });

  const failingLate = failing(["resolve"]);
  const conditions = failingLate.filter(({ mode }) => mode === "condition");
  it.each(titled(conditions))("%s: refused as a condition", (_, oracle) => {
    for (const version of oracle.versions) {
      const { type = "", message = "" } = oracle.error ?? {};
      const place = type === "ValueError" ? "outputs.o.value.if: " : "";
      const code = type === "ValueError" ? "StackValidationFailed" : type;
      const failure = failureOf(() => evaluate(oracle, version));
      expect(failure, version).toEqual({ code, message: place + message });
    }
  });

  const values = failingLate.filter(({ mode }) => mode === "value");
  it.each(titled(values))("%s: output error", (_, oracle) => {
    for (const version of oracle.versions) {
      const { value, error } = evaluate(oracle, version);
      const { message = "", match } = oracle.error ?? {};
      if (match === "kind") {
        expect(value, version).toBeNull();
        expect(error, version).toBeDefined();
        continue;
      }
      // Python shows a set in any order, so only the beginning of that text is recorded.
      const shown = match === "prefix" ? error?.slice(0, message.length) : error;
      expect({ value, shown }, version).toEqual({ value: null, shown: message });
    }
  });

  it.each(titled(failing(["dependencies"])))("%s: refused as a property", (_, oracle) => {
    for (const version of oracle.versions) {
      const failure = failureOf(() => asProperty(oracle, version));
      const message = oracle.error?.message.replace("outputs.o.value", "user.Properties.p");
      if (oracle.error?.match === "kind") expect(failure).not.toBeNull();
      else expect(failure, version).toEqual({ code: oracle.error?.type, message });
    }
  });

  const waiting = cases.filter((oracle) => oracle.deps !== undefined);
  it.each(titled(waiting))("%s: its requirements", (_, oracle) => {
    for (const version of oracle.versions) {
      const { resources } = asProperty(oracle, version);
      expect(resources.get("user")?.requires, version).toEqual(oracle.deps);
    }
  });
});
