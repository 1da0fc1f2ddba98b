/** Stored templates that no request would pass any more: one at a time, or at random. */

import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";

const VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1.5,
  "",
  "x",
  "2018-08-31",
  "thing",
  [],
  {},
  [null],
  { a: { b: [] } },
  { get_param: "size" },
  { get_resource: "nobody" },
  { get_attr: ["thing"] },
  { if: ["isBig", 1, 2] },
  { "Fn::Nothing": [1] },
  { allowed_pattern: "\\p{L}+(?<x>a)" },
];
const KEYS = ["type", "condition", "depends_on", "Resources", "__proto__", "constraints", "0", ""];

const pick = <T>(random: Random, list: readonly T[], otherwise: T): T =>
  list[random.below(list.length)] ?? otherwise;

const changed = (random: Random, value: Json, depth: number): Json => {
  if (depth === 0 || random.below(5) === 0) return pick(random, VALUES, null);
  if (Array.isArray(value) && value.length > 0) {
    const at = random.below(value.length);
    return value.map((one, place) => (place === at ? changed(random, one, depth - 1) : one));
  }
  if (!isJsonObject(value)) return pick(random, VALUES, null);
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const [key, inner] = entries[at] ?? [pick(random, KEYS, "x"), null];
  const others = entries.filter((_, place) => place !== at);
  switch (random.below(6)) {
    case 0:
      return mapOf(others);
    case 1:
      return mapOf([...others, [pick(random, KEYS, "x"), inner]]);
    default:
      return mapOf([...others, [key, changed(random, inner, depth - 1)]]);
  }
};

const DEPTH_MAX = 6;
const CHANGES_MAX = 4;

export const spoilt = (document: JsonObject, seed: number): JsonObject => {
  const random = memoryRandom(seed);
  let made: JsonObject = document;
  for (let left = 1 + random.below(CHANGES_MAX); left > 0; left -= 1) {
    const next = changed(random, made, DEPTH_MAX);
    if (isJsonObject(next)) made = next;
  }
  return made;
};

export const WHOLE: JsonObject = {
  heat_template_version: "2018-08-31",
  description: "all sections",
  parameters: {
    size: { type: "number", default: 2, constraints: [{ range: { min: 1, max: 9 } }] },
    word: { type: "string", default: "abc", constraints: [{ allowed_pattern: "[a-z]+" }] },
    list: { type: "comma_delimited_list", default: "a,b" },
    secret: { type: "string", hidden: true, default: "hush" },
  },
  parameter_groups: [{ label: "all", parameters: ["size", "word"] }],
  conditions: { isBig: { equals: [{ get_param: "size" }, 2] } },
  resources: {
    thing: { type: "OS::Heat::TestResource", properties: { value: { get_param: "word" } } },
    other: {
      type: "OS::Heat::TestResource",
      condition: "isBig",
      depends_on: ["thing"],
      properties: { value: { if: ["isBig", { get_attr: ["thing", "output"] }, "small"] } },
    },
    text: { type: "OS::Heat::RandomString", metadata: { of: { get_resource: "thing" } } },
  },
  outputs: {
    value: { description: "a text", value: { get_attr: ["thing", "output"] } },
    other: { condition: "isBig", value: { get_resource: "other" } },
  },
};

export const CFN: JsonObject = {
  HeatTemplateFormatVersion: "2012-12-12",
  Parameters: { Word: { Type: "String", Default: "abc", AllowedPattern: "[a-z]+" } },
  Resources: {
    thing: { Type: "OS::Heat::TestResource", Properties: { value: { Ref: "Word" } } },
    text: { Type: "OS::Heat::RandomString", DependsOn: "thing" },
  },
  Outputs: { value: { Value: { "Fn::GetAtt": ["thing", "output"] } } },
};
