import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { member } from "#lib/template/json-shape.ts";
import { readText } from "#lib/template/parse/parse.ts";
import type { Dice } from "../dice.ts";
import { valueOfType } from "../generate/parameters.ts";
import { documentText } from "../generate/yaml-writer.ts";
import { EMPTY_REQUEST, type PlayedRequest } from "../input.ts";
import type { SeedFile } from "./seeds.ts";
import { mutatedText } from "./text-mutations.ts";
import { mutatedTree } from "./tree-mutations.ts";

interface ReadSeed extends SeedFile {
  readonly document: Json;
}

export type Seeds = readonly ReadSeed[];

export const withDocuments = (seeds: readonly SeedFile[]): Seeds =>
  seeds.map((seed) => {
    const reading = readText(seed.text);
    return { ...seed, document: "document" in reading ? reading.document : null };
  });

const memberOf = (value: Json, ...keys: readonly string[]): Json =>
  (isJsonObject(value) ? keys.map((key) => member(value, key)).find(Boolean) : null) ?? null;

/** Values for parameters without a default, so that most requests reach their resources. */
const valuesFor = (document: Json, dice: Dice): JsonObject => {
  const section = memberOf(document, "parameters", "Parameters");
  const schemas = isJsonObject(section) ? Object.entries(section) : [];
  return Object.fromEntries(
    schemas
      .filter(([, schema]) => memberOf(schema, "default", "Default") === null || dice.slip(30))
      .map(([name, schema]) => [name, valueOfType(dice, String(memberOf(schema, "type", "Type")))]),
  );
};

/** Types of services that Hearth lacks. Without them most templates would fail at their types. */
const SERVED: JsonObject = Object.fromEntries(
  ["Nova", "Neutron", "Cinder", "Keystone", "Swift", "Trove", "Sahara", "Octavia", "Aodh"].map(
    (service) => [`OS::${service}::*`, "OS::Heat::None"],
  ),
);

const aroundOf = ({ document, beside }: ReadSeed, dice: Dice) => ({
  ...EMPTY_REQUEST,
  files: beside,
  parameters: valuesFor(document, dice),
  environment: dice.chance(75) ? { resource_registry: SERVED } : null,
});

const isEnvironment = ({ document }: ReadSeed): boolean =>
  isJsonObject(document) && ("resource_registry" in document || "parameter_defaults" in document);

export const mutantOfText = (seeds: Seeds, dice: Dice): PlayedRequest => {
  const seed = dice.pick(seeds);
  const text = mutatedText(seed.text, dice);
  if (isEnvironment(seed)) {
    const { text: template } = dice.pick(seeds);
    return { ...aroundOf(seed, dice), template, environment: text };
  }
  const [first] = Object.keys(seed.beside);
  const isNested = first !== undefined && dice.chance(20);
  return isNested
    ? {
        ...aroundOf(seed, dice),
        template: seed.text,
        files: { ...seed.beside, [first]: mutatedText(seed.beside[first] ?? "", dice) },
      }
    : { ...aroundOf(seed, dice), template: text };
};

export const mutantOfTree = (seeds: Seeds, dice: Dice): PlayedRequest => {
  const documents = seeds.filter(({ document }) => isJsonObject(document));
  const seed = dice.pick(documents);
  const tree = mutatedTree(seed.document, dice.pick(documents).document, dice);
  const template = isJsonObject(tree) && dice.chance(50) ? tree : documentText(dice, tree);
  return { ...aroundOf(seed, dice), template };
};
