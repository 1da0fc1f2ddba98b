/**
 * An update that knows the former target decides as one that knows nothing: it makes the same
 * template, or gives the same refusal. The pairs of templates are random, and some are wrong.
 */
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  option,
  record,
  tuple,
} from "fast-check";
import { expect, it } from "vitest";
import { present, RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mergedMaps, parseJson } from "#lib/json.ts";
import { checkSource } from "#lib/stack/check/check-source.ts";
import { sharedDocument } from "#lib/stack/record/shared-definitions.ts";
import {
  type LoadedTemplate,
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import type { Template } from "#lib/template/template.ts";
import { openWorld } from "../api/api-world.ts";

const RUNS = 2_000;
const UPDATES_MAX = 4;
const SEED = 20_260_727;
const NAMES = ["a", "b", "c", "d"] as const;

type ValueOf<One> = One extends Arbitrary<infer Value> ? Value : never;

const anyName = constantFrom(...NAMES);
const TYPES = ["OS::Heat::TestResource", "OS::Heat::Value", "OS::Heat::RandomString", "t.yaml"];
const anyType = constantFrom(...TYPES, "My::Alias", "No::Type");

const VALUES: readonly Json[] = [
  "v",
  "",
  5,
  { get_param: "p" },
  { get_param: "missing" },
  { get_resource: "a" },
  { get_resource: { get_param: "p" } },
  { get_attr: ["b", "output"] },
  { get_attr: ["c", "value"] },
  { get_attr: ["d", "none"] },
  { get_file: "f" },
  { get_file: "missing" },
  { if: ["on", "x", "y"] },
  { if: ["absent", "x", "y"] },
  { str_replace: { template: "X", params: { X: { get_param: "p" } } } },
  { wrong_call: [] },
  { list_join: [",", ["a", { get_param: "p" }]] },
];
const anyValue = constantFrom(...VALUES);
const KEYS = ["value", "length", "none", "wait_secs", "fail"];

const WRONG = 11;

const anyDefinition = record({
  type: anyType,
  key: constantFrom(...KEYS),
  value: anyValue,
  other: option(constantFrom(...KEYS)),
  dependsOn: option(anyName),
  condition: option(constantFrom<Json[]>("on", "off", "absent", true)),
  policy: option(constantFrom<Json[]>("Retain", "Wrong", { get_param: "p" })),
  metadata: option(anyValue),
  // These weights give most pairs much in common.
  weight: constantFrom(0, 0, 1, 1, 2, 3, 4, 5, 5, 5, 6, 6, 7, 7, 8, 9, 10, WRONG),
});
type Drawn = ValueOf<typeof anyDefinition>;

const given = (key: string, value: Json | null): JsonObject =>
  value === null ? {} : { [key]: value };

const thing = (value: Json, more: JsonObject = {}): JsonObject =>
  mergedMaps({ type: "OS::Heat::TestResource", properties: { value } }, more);
const rightOnes = (next: string): readonly JsonObject[] => [
  thing("plain"),
  thing({ get_param: "p" }),
  thing({ get_file: "f" }),
  { type: "t.yaml" },
  thing({ get_resource: next }),
  thing({ get_attr: [next, "output"] }),
  { type: "OS::Heat::Value", properties: { value: "w" } },
  thing("plain", { depends_on: next }),
  thing("plain", { condition: "on" }),
  thing({ if: ["on", "x", "y"] }),
];

const definitionOf = (one: Drawn, next: string): JsonObject => {
  const right = rightOnes(next)[one.weight];
  if (right !== undefined) return right;
  if (one.weight < WRONG) {
    return {
      type: one.type,
      properties: { [one.key]: one.value },
      ...given("depends_on", one.dependsOn),
    };
  }
  return {
    type: one.type,
    properties: { [one.key]: one.value, ...given(one.other ?? "value", "w") },
    ...given("depends_on", one.dependsOn),
    ...given("condition", one.condition),
    ...given("deletion_policy", one.policy),
    ...given("metadata", one.metadata === null ? null : { m: one.metadata }),
  };
};

const SECTIONS = [
  "version",
  "parameters",
  "conditions",
  "output",
  "file",
  "child",
  "p",
  "defaults",
  "registry",
] as const;
const anyOddSections = record({
  version: constantFrom("2016-10-14", "2021-04-16", "2021-04-16", "2013-05-23", "2099-01-01"),
  parameters: constantFrom<JsonObject[]>(
    { p: { type: "string", default: "d" } },
    { p: { type: "string" } },
    { p: { type: "string", hidden: true, default: "d" } },
    { p: { type: "number", default: 3 } },
    { p: { type: "string", default: "d", constraints: [{ allowed_values: ["d", "e"] }] } },
    { a: { type: "string", default: "d" }, p: { type: "string", default: "d" } },
    {},
  ),
  conditions: constantFrom<(JsonObject | null)[]>(
    null,
    { on: true, off: false },
    { on: { equals: [{ get_param: "p" }, "d"] }, off: { not: "on" } },
    { on: { not: "off" }, off: { not: "on" } },
  ),
  output: option(anyValue),
  file: constantFrom("text", "other"),
  child: constantFrom("OS::Heat::Value", "OS::Heat::None", "No::Type"),
  p: option(constantFrom<Json[]>("d", "e", 7)),
  defaults: constantFrom<JsonObject[]>({}, { p: "e" }),
  registry: constantFrom<JsonObject[]>(
    { "My::Alias": "OS::Heat::Value" },
    { "My::Alias": "OS::Heat::TestResource" },
    { "My::Alias": "t.yaml", resources: { a: { restricted_actions: "update" } } },
    { "OS::Heat::TestResource": "OS::Heat::None" },
  ),
});
type Sections = ValueOf<typeof anyOddSections>;

const PLAIN_SECTIONS: Sections = {
  version: "2021-04-16",
  parameters: { p: { type: "string", default: "d" } },
  conditions: { on: { equals: [{ get_param: "p" }, "d"] } },
  output: null,
  file: "text",
  child: "OS::Heat::Value",
  p: null,
  defaults: {},
  registry: { "My::Alias": "OS::Heat::Value" },
};
/** Usually at most one section is odd. */
const anySections = tuple(
  anyOddSections,
  constantFrom<(keyof Sections)[]>(...SECTIONS),
  integer({ min: 0, max: 9 }),
).map(([odd, key, weight]): Sections => {
  if (weight === 0) return odd;
  return weight < 7 ? PLAIN_SECTIONS : { ...PLAIN_SECTIONS, [key]: odd[key] };
});

/** The steps choose among few, so that an update changes little, as a user's update does. */
const DRAWN = 2;
const anyDrawn = record({
  sections: array(anySections, { minLength: DRAWN, maxLength: DRAWN }),
  definitions: array(array(anyDefinition, { minLength: DRAWN, maxLength: DRAWN }), {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  }),
});
const anyStep = record({
  sections: constantFrom(0, 0, 0, 0, 1),
  /** An index by name. An index beyond the drawn ones leaves the resource out. */
  definitions: array(constantFrom(0, 0, 0, 0, 0, 1, 1, DRAWN), {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  }),
  timeoutMins: constantFrom(1, 1, 1, 2),
});

const sourceOf = (
  drawn: ValueOf<typeof anyDrawn>,
  step: ValueOf<typeof anyStep>,
): TemplateSource => {
  const sections: Sections = present(drawn.sections[step.sections], "sections");
  const resources = NAMES.flatMap((name, at): [string, JsonObject][] => {
    // The last resource refers to nothing, so that the references of the others are mostly right.
    if (at === NAMES.length - 1) return [[name, thing("last")]];
    const one = drawn.definitions[at]?.[step.definitions[at] ?? 0];
    return one === undefined ? [] : [[name, definitionOf(one, NAMES[at + 1] ?? "none")]];
  });
  const output = sections.output === null ? {} : { outputs: { o: { value: sections.output } } };
  const child = { heat_template_version: "2016-10-14", resources: { r: { type: sections.child } } };
  return {
    template: {
      heat_template_version: sections.version,
      parameters: sections.parameters,
      ...given("conditions", sections.conditions),
      resources: Object.fromEntries(resources),
      ...output,
    },
    files: { f: sections.file, "t.yaml": JSON.stringify(child) },
    environment: {
      parameters: given("p", sections.p),
      parameterDefaults: sections.defaults,
      resourceRegistry: sections.registry,
    },
    stack: { id: "stack-1", name: "app", tenant: "demo" },
  };
};

/** A copy that shares no objects, so nothing is known about it. */
const apart = (source: TemplateSource): TemplateSource => ({
  ...source,
  template: asObject(parseJson(JSON.stringify(source.template))),
});

const asObject = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

const outcomeOf = async (work: () => Promise<Template>) => {
  try {
    const { resources, outputs } = await work();
    return { resources: [...resources], outputs: [...outputs] };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { refused: `${error.code}: ${error.message}` };
  }
};

it("decides as one that knows nothing of the target before", async () => {
  const count = { accepted: 0, refused: 0, shared: 0 };
  const property = asyncProperty(
    anyDrawn,
    array(anyStep, { minLength: 2, maxLength: UPDATES_MAX }),
    async (drawn, steps) => {
      const { ports } = openWorld();
      let current: LoadedTemplate | null = null;
      for (const step of steps) {
        const asked = sourceOf(drawn, step);
        const { timeoutMins } = step;
        const alone = await outcomeOf(() => checkSource(ports, apart(asked), { timeoutMins }));
        const former: LoadedTemplate | null = current;
        let source = asked;
        const known = await outcomeOf(async () => {
          const own = apart(asked);
          const template =
            former === null ? own.template : sharedDocument(own.template, [former.source.template]);
          source = { ...own, template };
          return checkSource(ports, source, { timeoutMins, former: former?.template });
        });
        expect(known).toEqual(alone);
        count[`refused` in known ? "refused" : "accepted"] += 1;
        if ("refused" in known) continue;
        const id = ports.ids.fresh();
        await saveTemplate(ports, "demo", "stack-1", id, source, former);
        current = await loadTemplate(ports, "demo", "stack-1", id);
        expect([...current.template.resources]).toEqual(known.resources);
        for (const [name, definition] of known.resources) {
          if (former?.template.resources.get(name) === definition) count.shared += 1;
        }
      }
    },
  );
  await assert(property, { numRuns: RUNS, seed: SEED });
  expect(Math.min(count.accepted, count.refused, count.shared)).toBeGreaterThan(RUNS / 4);
});
