import type { Json, JsonObject } from "#lib/json.ts";
import type { PropertySchema } from "#lib/model/property-schema.ts";
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import type { Dice } from "../dice.ts";
import { type Names, nameOf } from "./names.ts";
import { valueOfType } from "./parameters.ts";
import { aKey, aMap, aScalar } from "./scalars.ts";
import { aCall, aCondition, aValue } from "./values.ts";

export type KnownTypes = readonly ResourceType[];

export const knownTypes = async (types: ResourceTypes): Promise<KnownTypes> => {
  const found = await Promise.all(types.names().map((name) => types.get(name)));
  return found.flatMap((type) => (type === null ? [] : [type]));
};

const CHILDREN = ["child.yaml", "other.template"];
const OTHER_TYPES = ["My::Child", "My::Wild", "OS::Nova::Server", "constructor", "__proto__", ""];

const aProperty = (dice: Dice, names: Names, schema: PropertySchema, depth: number): Json => {
  if (depth > 0 && dice.chance(30)) return aCall(dice, names, depth);
  const allowed = schema.constraints?.find((one) => "allowedValues" in one);
  if (allowed !== undefined && "allowedValues" in allowed && !dice.slip(15)) {
    return dice.pick(allowed.allowedValues);
  }
  const { type, items, schema: members } = schema;
  if (type === "list") {
    return dice.some(3, () =>
      items === undefined ? aValue(dice, names, 1) : aProperty(dice, names, items, depth - 1),
    );
  }
  if (type === "map" && members !== undefined) return propertiesOf(dice, names, members, depth - 1);
  if (type === "map") return aMap(dice, 3, () => aValue(dice, names, 2));
  if (type === "any") return aValue(dice, names, 3);
  return valueOfType(dice, type === "integer" ? "number" : type);
};

const propertiesOf = (
  dice: Dice,
  names: Names,
  schemas: Readonly<Record<string, PropertySchema>>,
  depth: number,
): JsonObject => {
  const wanted = Object.entries(schemas).filter(([, { required }]) =>
    required === true ? !dice.slip(3) : dice.chance(30),
  );
  const entries = wanted.map(([key, schema]) => [key, aProperty(dice, names, schema, depth)]);
  return Object.fromEntries(dice.slip(4) ? [...entries, [aKey(dice), aScalar(dice)]] : entries);
};

const anyProperties = (dice: Dice, names: Names): JsonObject =>
  Object.fromEntries(
    dice.some(3, () => [nameOf(dice, ["p0", "p1", "p2", "value"]), aValue(dice, names)]),
  );

const WORDS = {
  hot: {
    type: "type",
    properties: "properties",
    metadata: "metadata",
    dependsOn: "depends_on",
    deletionPolicy: "deletion_policy",
    updatePolicy: "update_policy",
    condition: "condition",
    externalId: "external_id",
  },
  cfn: {
    type: "Type",
    properties: "Properties",
    metadata: "Metadata",
    dependsOn: "DependsOn",
    deletionPolicy: "DeletionPolicy",
    updatePolicy: "UpdatePolicy",
    condition: "Condition",
    externalId: "external_id",
  },
} as const;

const aResource = (dice: Dice, names: Names, type: ResourceType | null): Json => {
  const words = WORDS[names.format];
  const schemas = type?.schema.properties ?? "any";
  const maybe = (percent: number, key: keyof typeof words, make: () => Json): JsonObject =>
    dice.chance(percent) ? { [words[key]]: make() } : {};
  return {
    [words.type]: type?.type ?? dice.pick(dice.slip(50) ? OTHER_TYPES : CHILDREN),
    [words.properties]:
      schemas === "any" ? anyProperties(dice, names) : propertiesOf(dice, names, schemas, 3),
    ...maybe(15, "metadata", () => aMap(dice, 3, () => aValue(dice, names, 2))),
    ...maybe(15, "dependsOn", () => dice.some(3, () => nameOf(dice, names.resources))),
    ...maybe(10, "deletionPolicy", () =>
      dice.pick(dice.slip(40) ? ["snapshot", "x", null] : ["Delete", "Retain"]),
    ),
    ...maybe(dice.slip(5) ? 100 : 0, "updatePolicy", () => aValue(dice, names, 2)),
    ...(names.conditions.length > 0 ? maybe(10, "condition", () => aCondition(dice, names)) : {}),
    ...maybe(dice.slip(3) ? 100 : 0, "externalId", () => aValue(dice, names, 1)),
    ...(dice.slip(2) ? { [aKey(dice)]: aScalar(dice) } : {}),
  };
};

export const chosenTypes = (
  dice: Dice,
  { resources }: Names,
  types: KnownTypes,
): ReadonlyMap<string, ResourceType | null> =>
  new Map(resources.map((name) => [name, dice.chance(85) ? dice.pick(types) : null]));

export const resourcesSection = (
  dice: Dice,
  names: Names,
  types: ReadonlyMap<string, ResourceType | null>,
): JsonObject =>
  Object.fromEntries(
    names.resources.map((name, at) => {
      const before = { ...names, resources: names.resources.slice(0, at) };
      const seen = dice.slip(10) ? names : before;
      return [name, dice.slip(2) ? aScalar(dice) : aResource(dice, seen, types.get(name) ?? null)];
    }),
  );
