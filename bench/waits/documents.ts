/** Large and hostile requests: each is one body for `POST …/stacks`. */
import type { Json, JsonObject } from "#lib/json.ts";

/** Heat's limit, less the words around the resources. */
const TEMPLATE_CHARS = 520_000;
const LONG_CHARS = 12_000;
const RESOURCES = 10_000;
const NUMBERS = 250_000;
const EXPRESSIONS = 20;
/** Just below the limit of steps of an expression. */
const JOINED = 56;
const DIGESTED_CHARS = 500_000;

const HEAD = "heat_template_version: 2016-10-14\n";
const OUTPUTS = "outputs:\n  o: {value: {get_resource: r0}}\n";

const inYaml = (count: number, resource: (index: number) => string): string =>
  `${HEAD}${OUTPUTS}resources:\n${Array.from({ length: count }, (_, at) => resource(at)).join("")}`;

const none = (at: number): string => `  r${at}: {type: "OS::Heat::None"}\n`;
const inJson = (count: number): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`r${at}`, { type: "OS::Heat::None" }]),
  ),
});
const ofValue = (value: Json): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: { v: { type: "OS::Heat::Value", properties: { value } } },
});

const ofValues = (count: number, value: Json): JsonObject => ({
  heat_template_version: "2017-09-01",
  resources: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `v${at}`,
      { type: "OS::Heat::Value", properties: { value } },
    ]),
  ),
});
const joined: JsonObject = {
  yaql: {
    expression: "$.data.join($.data, $1 > 3 and $2 < 5, $1 + $2).len()",
    data: Array.from({ length: JOINED }, (_, at) => at),
  },
};
const countedUp: JsonObject = {
  repeat: {
    template: "x-%a%-%b%",
    for_each: {
      "%a%": Array.from({ length: 100 }, (_, at) => `a${at}`),
      "%b%": Array.from({ length: 100 }, (_, at) => `b${at}`),
    },
  },
};

const long = "a".repeat(LONG_CHARS);
const small = inYaml(1, none);
const entries = Array.from({ length: TEMPLATE_CHARS / 16 }, (_, at) => `  key${at}: v${at}\n`);
const environment = `parameter_defaults:\n${entries.join("").slice(0, TEMPLATE_CHARS)}`;

/** Each line names the one before nine times. */
const aliases = (lines: number): string =>
  Array.from({ length: lines }, (_, at) =>
    at === 0
      ? "  k0: &k0 [x,x,x,x,x,x,x,x,x]\n"
      : `  k${at}: &k${at} [${`*k${at - 1},`.repeat(9)}]\n`,
  ).join("");

export const DOCUMENTS: Readonly<Record<string, JsonObject>> = {
  "str_replace of 12,000 × 12,000": {
    template: ofValue({ str_replace: { template: long, params: { a: long } } }),
  },
  "list_join of 12,000 × 12,000": {
    template: ofValue({ list_join: [long, Array(LONG_CHARS).fill("")] }),
  },
  "20 yaql expressions at the limit": { template: ofValues(EXPRESSIONS, joined) },
  "20 repeats of 100 × 100": { template: ofValues(EXPRESSIONS, countedUp) },
  "sha3_512 of 500 KB": {
    template: ofValues(1, { digest: ["sha3_512", "x".repeat(DIGESTED_CHARS)] }),
  },
  "10,000 resources, YAML": { template: inYaml(RESOURCES, none) },
  "10,000 resources, JSON": { template: inJson(RESOURCES) },
  "environment of 512 KB, YAML": { template: small, environment },
  "environment file of 512 KB, YAML": {
    template: small,
    environment_files: ["e"],
    files: { e: environment },
  },
  "aliases, 9 levels": { template: `${small}parameters:\n${aliases(9)}` },
  "lists nested 100,000 deep": { template: "[".repeat(100_000) },
  "one text of 512 KB": { template: `${small}description: "${"x ".repeat(TEMPLATE_CHARS / 2)}"` },
  "a list of 250,000 numbers": { template: ofValue(Array(NUMBERS).fill(0)) },
  "aliases to a long list": {
    template: `${HEAD}description: d\nparameters:\n  a: &a [${"x,".repeat(1_000)}]\n${Array.from({ length: 900 }, (_, at) => `  b${at}: *a\n`).join("")}`,
  },
};
