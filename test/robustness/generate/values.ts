import type { Json } from "#lib/json.ts";
import type { Dice } from "../dice.ts";
import { type Names, nameOf } from "./names.ts";
import { aKey, aMap, aNumber, aScalar, aText } from "./scalars.ts";
import { yaqlText } from "./yaql-text.ts";

interface Maker {
  readonly dice: Dice;
  readonly names: Names;
  readonly value: () => Json;
  readonly condition: () => Json;
}

type Arguments = (maker: Maker) => Json;

const listOf = ({ dice, value }: Maker, most = 3): Json => dice.some(most, value);
const mapOf = ({ dice, value }: Maker, most = 3): Json => aMap(dice, most, value);
const listOfMaps = (maker: Maker): Json => maker.dice.some(3, () => mapOf(maker));
const path = ({ dice }: Maker): Json[] =>
  dice.some(3, () => (dice.chance(70) ? aKey(dice) : aNumber(dice)));
const ATTRIBUTES = ["show", "outputs", "refs", "refs_map", "resource.r0", "attributes"];
const attribute = ({ dice, names }: Maker, resource: string): Json =>
  dice.slip(15)
    ? dice.pick([...ATTRIBUTES, aKey(dice)])
    : dice.pick(["show", ...(names.attributes.get(resource) ?? [])]);
const parameter = ({ dice, names }: Maker): Json =>
  dice.chance(95) ? nameOf(dice, names.parameters) : dice.pick(["OS::stack_name", "OS::stack_id"]);
const resource = ({ dice, names }: Maker): Json => nameOf(dice, names.resources);
const template: Arguments = ({ dice, value }) =>
  dice.chance(60) ? dice.pick(["%a% and %b%", "$a$a$b", "aaaa", "%a%"]) : value();
const params = (maker: Maker): Json => {
  const keys = ["%a%", "%b%", "$a", "a", "aa", ""];
  return Object.fromEntries(maker.dice.some(3, () => [maker.dice.pick(keys), maker.value()]));
};
const replacing: Arguments = (maker) => ({ template: template(maker), params: params(maker) });
const attributePath: Arguments = (maker) => {
  const name = nameOf(maker.dice, maker.names.resources);
  return [name, attribute(maker, name), ...(maker.dice.chance(50) ? path(maker) : [])];
};
const delimiter = ({ dice }: Maker): Json => dice.pick([",", "", " ", "\u0000", "aa", null, 1]);

const forEach: Arguments = (maker) =>
  Object.fromEntries(
    maker.dice.some(3, () => [maker.dice.pick(["%a%", "%b%", "a", "", "%"]), maker.value()]),
  );

/** Both formats, because each must refuse the functions of the other. */
const ARGUMENTS: Readonly<Record<string, Arguments>> = {
  get_param: (maker) =>
    maker.dice.chance(60) ? parameter(maker) : [parameter(maker), ...path(maker)],
  get_resource: resource,
  get_attr: attributePath,
  get_file: ({ dice, names }) => nameOf(dice, names.files),
  list_join: (maker) => [
    delimiter(maker),
    listOf(maker),
    ...maker.dice.some(2, () => listOf(maker)),
  ],
  str_replace: replacing,
  str_replace_strict: replacing,
  str_replace_vstrict: replacing,
  str_split: (maker) => [
    delimiter(maker),
    maker.value(),
    ...maker.dice.some(1, () => aNumber(maker.dice)),
  ],
  map_merge: listOfMaps,
  map_replace: (maker) => [mapOf(maker), { keys: mapOf(maker), values: mapOf(maker) }],
  repeat: (maker) => ({
    template: maker.value(),
    for_each: forEach(maker),
    ...(maker.dice.chance(30) ? { permutations: maker.dice.chance(50) } : {}),
  }),
  digest: (maker) => [
    maker.dice.pick(["md5", "sha512", "ripemd160", "SHAKE_128", "x"]),
    maker.value(),
  ],
  yaql: (maker) => ({ expression: yaqlText(maker.dice), data: maker.value() }),
  if: (maker) => [
    maker.condition(),
    maker.value(),
    ...(maker.dice.slip(30) ? [] : [maker.value()]),
  ],
  filter: (maker) => [listOf(maker), listOf(maker)],
  make_url: (maker) => ({
    scheme: maker.value(),
    host: maker.value(),
    port: aNumber(maker.dice),
    path: maker.value(),
    query: mapOf(maker),
  }),
  list_concat: (maker) => maker.dice.some(3, () => listOf(maker)),
  list_concat_unique: (maker) => maker.dice.some(3, () => listOf(maker)),
  contains: (maker) => [maker.value(), maker.value()],
  resource_facade: ({ dice }) =>
    dice.slip(20) ? "x" : dice.pick(["metadata", "deletion_policy", "update_policy"]),
  Ref: (maker) => (maker.dice.chance(50) ? parameter(maker) : resource(maker)),
  "Fn::GetAtt": attributePath,
  "Fn::Join": (maker) => [delimiter(maker), listOf(maker)],
  "Fn::Split": (maker) => [delimiter(maker), maker.value()],
  "Fn::Select": (maker) => [maker.dice.chance(50) ? aNumber(maker.dice) : "a", maker.value()],
  "Fn::Replace": (maker) => [params(maker), template(maker)],
  "Fn::Base64": ({ value }) => value(),
  "Fn::FindInMap": (maker) => ["m0", aKey(maker.dice), maker.value()],
  "Fn::GetAZs": ({ value }) => value(),
  "Fn::MemberListToMap": (maker) => ["Name", "Value", listOf(maker)],
  "Fn::ResourceFacade": ({ dice }) => dice.pick(["Metadata", "DeletionPolicy", "UpdatePolicy"]),
  "Fn::If": (maker) => [maker.condition(), maker.value(), maker.value()],
};

const FUNCTIONS = Object.keys(ARGUMENTS);
const HOT_FUNCTIONS = FUNCTIONS.filter((name) => !name.startsWith("Fn::") && name !== "Ref");
const CFN_FUNCTIONS = FUNCTIONS.filter((name) => name.startsWith("Fn::") || name === "Ref");

const OF_RESOURCES: ReadonlySet<string> = new Set(["get_resource", "get_attr", "Fn::GetAtt"]);

const OF_CONDITIONS: ReadonlySet<string> = new Set(["if", "Fn::If"]);

const CONDITION_FUNCTIONS = {
  hot: ["equals", "not", "and", "or", "get_param", "yaql", "contains"],
  cfn: ["Fn::Equals", "Fn::Not", "Fn::And", "Fn::Or", "Ref", "Fn::FindInMap"],
};

const makerOf = (dice: Dice, names: Names, depth: number): Maker => ({
  dice,
  names,
  value: () => aValue(dice, names, depth - 1),
  condition: () => aCondition(dice, names, depth - 1),
});

/** A condition can read parameters, but no resources. */
const aConditionValue = (maker: Maker): Json => {
  const { dice, names, value } = maker;
  if (dice.slip(10)) return value();
  if (dice.chance(50)) return aScalar(dice);
  return { [names.format === "hot" ? "get_param" : "Ref"]: parameter(maker) };
};

const conditionArguments = (maker: Maker, name: string): Json => {
  const { dice, condition, value } = maker;
  const word = name.replace("Fn::", "").toLowerCase();
  if (word === "equals") return [value(), value()];
  if (word === "not") return name === "not" ? condition() : [condition()];
  if (word === "and" || word === "or")
    return [condition(), condition(), ...dice.some(2, condition)];
  return ARGUMENTS[name]?.(maker) ?? value();
};

export const aCondition = (dice: Dice, names: Names, depth = 2): Json => {
  if (depth <= 0 || dice.chance(40)) {
    return dice.slip(10) ? aScalar(dice) : nameOf(dice, names.conditions);
  }
  return aConditionCall(dice, names, depth);
};

export const aConditionCall = (dice: Dice, names: Names, depth = 2): Json => {
  const name = dice.pick(CONDITION_FUNCTIONS[names.format]);
  const maker = makerOf(dice, names, depth);
  const value = (): Json => aConditionValue(maker);
  return { [name]: conditionArguments({ ...maker, value }, name) };
};

export const aCall = (dice: Dice, names: Names, depth: number): Json => {
  const own = names.format === "hot" ? HOT_FUNCTIONS : CFN_FUNCTIONS;
  const usable = own.filter(
    (name) =>
      (names.resources.length > 0 || !OF_RESOURCES.has(name)) &&
      (names.conditions.length > 0 || !OF_CONDITIONS.has(name)),
  );
  const name = dice.pick(dice.slip(3) ? FUNCTIONS : usable);
  const maker = makerOf(dice, names, depth);
  return { [name]: dice.slip(7) ? maker.value() : (ARGUMENTS[name]?.(maker) ?? null) };
};

export const aValue = (dice: Dice, names: Names, depth = 3): Json => {
  if (depth <= 0) return aScalar(dice);
  const kind = dice.below(10);
  if (kind < 5) return aCall(dice, names, depth);
  if (kind === 5) return dice.some(4, () => aValue(dice, names, depth - 1));
  if (kind === 6) return aMap(dice, 4, () => aValue(dice, names, depth - 1));
  return kind === 7 ? aText(dice) : aScalar(dice);
};
