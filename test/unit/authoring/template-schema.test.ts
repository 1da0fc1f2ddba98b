import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { knownTypes } from "#lib/authoring/known-types.ts";
import { templateSchema } from "#lib/authoring/template-schema/template-schema.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { json } from "#lib/json-schema.ts";
import { isHidden } from "#lib/model/property-schema.ts";
import { CFN_VERSIONS, VERSIONS } from "#lib/template/format.ts";
import type { Place, TemplateFunction } from "#lib/template/functions/function.ts";
import { conditionFunctionsOf, functionsOf } from "#lib/template/functions/table.ts";
import { readText } from "#lib/template/parse/parse.ts";
import { readCases, whyNoOracles } from "#test/oracles/oracle-files.ts";
import { candidatesFor, fits } from "#test/unit/template/functions/argument-examples.ts";
import { exampleResources } from "../../../tools/packaging/reference/type-example.ts";

const types = knownTypes();
/** As printed: in this process an exact number such as 1.0 is an object. */
const schema = z.record(z.string(), json).parse(JSON.parse(JSON.stringify(templateSchema(types))));
/** JSON Schema does not know an editor's keywords. */
const ajv = new Ajv({ strict: false });
const check = ajv.compile<Json>(schema);

const accepts = (template: Json): boolean => check(template);
const withSections = (sections: JsonObject): JsonObject => ({
  heat_template_version: "2021-04-16",
  ...sections,
});
const withResource = (resource: Json): JsonObject => withSections({ resources: { r: resource } });
const withValue = (value: Json): JsonObject =>
  withResource({ type: "OS::Heat::Value", properties: { value } });

const exampleOf = (type: (typeof types)[number]) => {
  const entries = Object.entries(exampleResources(type));
  const [name = "", resource = null] = entries.at(-1) ?? [];
  const own = isJsonObject(resource) ? resource : {};
  const properties = isJsonObject(own.properties) ? own.properties : {};
  const withProperties = (some: JsonObject): JsonObject =>
    withSections({
      resources: { ...Object.fromEntries(entries), [name]: { ...own, properties: some } },
    });
  return { properties, withProperties };
};

describe("the schema of templates", () => {
  it("is a JSON Schema of draft 7", () => {
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
  });

  it.each([
    ["resources of a template or an environment", withResource({ type: "server.yaml" })],
    ["a type of the user", withResource({ type: "My::Own::Type", properties: { a: 1 } })],
    ["a stub", withResource({ type: "Hearth::Stub::OS::Nova::Server" })],
    ["an object from outside", withResource({ type: "OS::Nova::Server", external_id: "id-1" })],
    ["a section without entries", withSections({ outputs: null })],
    [
      "a null for a property",
      withResource({ type: "OS::Heat::RandomString", properties: { length: null } }),
    ],
    [
      "a number as a text",
      withResource({ type: "OS::Heat::RandomString", properties: { length: "16" } }),
    ],
    [
      "a function for a property",
      withResource({ type: "OS::Heat::RandomString", properties: { length: { get_param: "n" } } }),
    ],
    [
      "a function for all properties",
      withResource({ type: "OS::Heat::Value", properties: { if: ["c", { value: 1 }, {}] } }),
    ],
    [
      "an old name of a required property",
      withResource({ type: "OS::Neutron::Port", properties: { network_id: "n" } }),
    ],
    [
      "a property that Heat's type does not have",
      withResource({
        type: "OS::Heat::SoftwareDeployment",
        properties: { server: "s", timeout: 60 },
      }),
    ],
    [
      "a hidden type",
      withResource({ type: "OS::Heat::HARestarter", properties: { InstanceId: "i" } }),
    ],
    [
      "words of CloudFormation",
      {
        AWSTemplateFormatVersion: "2010-09-09",
        Resources: {
          R: { Type: "OS::Heat::Value", Properties: { value: { Ref: "P" } }, Other: 1 },
        },
      },
    ],
  ])("accepts %s", (_, template) => {
    expect(accepts(template), JSON.stringify(check.errors)).toBe(true);
  });

  it.each([
    ["another version", { heat_template_version: "2020-01-01" }],
    ["no version", { resources: {} }],
    ["an unknown section", withSections({ resource: {} })],
    ["an unknown type among Hearth's", withResource({ type: "OS::Heat::Valeu" })],
    ["a resource without a type", withResource({ properties: {} })],
    ["an unknown word of a resource", withResource({ type: "OS::Heat::None", props: {} })],
    ["an unknown policy", withResource({ type: "OS::Heat::None", deletion_policy: "keep" })],
    [
      "an update policy that the type lacks",
      withResource({ type: "OS::Heat::Value", properties: { value: 1 }, update_policy: { a: 1 } }),
    ],
    ["a resource without required properties", withResource({ type: "OS::Heat::Value" })],
    [
      "a text for a number",
      withResource({ type: "OS::Heat::RandomString", properties: { length: "long" } }),
    ],
    [
      "a number out of range",
      withResource({ type: "OS::Heat::RandomString", properties: { length: 0 } }),
    ],
    [
      "a list for a text",
      withResource({ type: "OS::Heat::RandomString", properties: { salt: [] } }),
    ],
    [
      "a value that is not allowed",
      withResource({
        type: "OS::Neutron::QoSDscpMarkingRule",
        properties: { policy: "p", dscp_mark: 7 },
      }),
    ],
    [
      "an unknown member of a map in a list",
      withResource({
        type: "OS::Nova::Server",
        properties: { flavor: "f", networks: [{ nework: "n" }] },
      }),
    ],
    [
      "a text that breaks a pattern",
      withResource({
        type: "AWS::EC2::VolumeAttachment",
        properties: { InstanceId: "i", VolumeId: "v", Device: "/dev/sda" },
      }),
    ],
    ["a function within a value", withValue({ list: [{ map: { list_join: "a" } }] })],
    ["a parameter without a type", withSections({ parameters: { p: { default: 1 } } })],
    ["an unknown type of a parameter", withSections({ parameters: { p: { type: "text" } } })],
    [
      "a constraint without a rule",
      withSections({ parameters: { p: { type: "string", constraints: [{}] } } }),
    ],
    ["an output without a value", withSections({ outputs: { o: { description: "d" } } })],
    ["a condition that is a text", withSections({ conditions: { c: "sometimes" } })],
    [
      "a function that no condition knows",
      withSections({ conditions: { c: { get_attr: ["a", "b"] } } }),
    ],
    [
      "an unknown property in CloudFormation's format",
      {
        HeatTemplateFormatVersion: "2012-12-12",
        Resources: { R: { Type: "OS::Heat::Value", Properties: { valeu: 1 } } },
      },
    ],
  ])("refuses %s", (_, template) => {
    expect(accepts(template)).toBe(false);
  });

  it("describes properties, and offers no hidden ones", () => {
    const definitions = isJsonObject(schema.definitions) ? schema.definitions : {};
    expect(definitions["OS::Heat::RandomString"]).toMatchObject({
      properties: { length: { description: expect.any(String), default: 32 } },
    });
    expect(definitions["OS::Neutron::Port"]).toMatchObject({
      properties: { network_id: { doNotSuggest: true } },
    });
  });
});

describe("the schema of a type", () => {
  const shown = types.filter(({ schema: { support } }) => !isHidden(support));

  it.each(shown.map((type) => ({ name: type.type, type })))(
    "accepts the example of $name, and refuses an unknown property",
    ({ type }) => {
      const { properties, withProperties } = exampleOf(type);
      expect(accepts(withProperties(properties)), JSON.stringify(check.errors)).toBe(true);
      const isOpen = type.schema.properties === "any" || type.schema.ignoresDefinition === true;
      expect(accepts(withProperties({ ...properties, noSuchProperty: 1 }))).toBe(isOpen);
    },
  );

  it("refuses each example without one of its required properties", () => {
    let refused = 0;
    for (const type of shown) {
      const { properties, withProperties } = exampleOf(type);
      if (type.schema.properties === "any" || type.schema.translations !== undefined) continue;
      for (const [key, { required }] of Object.entries(type.schema.properties)) {
        if (required !== true) continue;
        const others = Object.entries(properties).filter(([name]) => name !== key);
        expect(accepts(withProperties(mapOf(others))), `${type.type} ${key}`).toBe(false);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

describe("the schema of functions", () => {
  const versions = [...VERSIONS, ...CFN_VERSIONS];
  const places = [
    { context: "values", tableOf: functionsOf, template: withValue },
    {
      context: "conditions",
      tableOf: conditionFunctionsOf,
      template: (value: Json) => withSections({ conditions: { c: value } }),
    },
  ] as const;

  /** A schema cannot express which texts a function can read. */
  const readsTexts = (takes: Place): boolean => JSON.stringify(takes).includes('"example"');

  /** Early versions ignore the key, so a schema for all versions accepts any value. */
  const isIgnoredOnce = (snippet: JsonObject): boolean =>
    isJsonObject(snippet.repeat) && isJsonObject(snippet.repeat.permutations);

  it.each(places)("has the arguments that functions declare, in $context", (place) => {
    const definitions = versions.flatMap((version) => [...place.tableOf(version).values()]);
    const byName = Map.groupBy<string, TemplateFunction>(definitions, ({ name }) => name);
    const wrong = new Set<string>();
    let refused = 0;
    for (const [name, uses] of byName) {
      const all = uses.flatMap(({ takes }) => takes ?? []);
      for (const takes of all) {
        for (const { value, call } of candidatesFor(takes, { get_param: "p" })) {
          const snippet = { [name]: value };
          const isAccepted = accepts(place.template(snippet));
          if (!isAccepted) refused += 1;
          const isRight = call ? !call.written : all.some(({ shapes }) => fits(shapes, value));
          if (isAccepted === isRight) continue;
          if (isAccepted && (readsTexts(takes) || isIgnoredOnce(snippet))) continue;
          wrong.add(`${JSON.stringify(snippet)} ${isAccepted ? "accepted" : "refused"}`);
        }
      }
    }
    expect([...wrong]).toEqual([]);
    expect(refused).toBeGreaterThan(50);
  });
});

const Case = z.object({
  id: z.string(),
  body: z.looseObject({ template: z.custom<Json>().optional() }),
  validate: z.object({ status: z.number() }),
  preview: z.object({ status: z.number() }),
});

describe.runIf(whyNoOracles() === null)("beside Heat's recorded answers, the schema", () => {
  const cases = whyNoOracles() === null ? readCases("templates.json", Case) : [];
  /** An editor reads what it can of a text that is not valid YAML. */
  const templateOf = ({ body: { template = null } }: z.infer<typeof Case>): Json => {
    if (typeof template !== "string") return template;
    const reading = readText(template);
    return "document" in reading ? reading.document : null;
  };
  const isMade = ({ validate, preview }: z.infer<typeof Case>): boolean =>
    validate.status === 200 && preview.status === 200;

  it("accepts every template of which Heat makes a stack", () => {
    const made = cases.filter(isMade);
    expect(made.length).toBeGreaterThan(60);
    expect(made.filter((one) => !accepts(templateOf(one))).map(({ id }) => id)).toEqual([]);
  });

  it("refuses the most of the others", () => {
    const others = cases.filter((one) => !isMade(one));
    const refused = others.filter((one) => !accepts(templateOf(one)));
    expect(refused.length).toBeGreaterThan(others.length / 2);
  });
});
