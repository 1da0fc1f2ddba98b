import type { Json, JsonObject } from "#lib/json.ts";
import type { Dice } from "../dice.ts";
import type { Names } from "./names.ts";
import { aKey, aMap, aNumber, aScalar, aText } from "./scalars.ts";

const TYPES = ["string", "number", "comma_delimited_list", "json", "boolean"] as const;
const CFN_TYPES = ["String", "Number", "CommaDelimitedList", "Json", "Boolean"] as const;
export const CUSTOM_CONSTRAINTS: readonly string[] = [
  "ip_addr",
  "net_cidr",
  "ip_or_cidr",
  "mac_addr",
  "cron_expression",
  "timezone",
  "dns_name",
  "rel_dns_name",
  "dns_domain",
  "iso_8601",
  "expiration",
  "json_string",
];
const CUSTOM = [...CUSTOM_CONSTRAINTS, "nova.flavor", "constructor"];
const PATTERNS = [
  "[a-z]+",
  "^a|b$",
  "(a+)+$",
  "(?P<n>x)\\Z",
  "[",
  "a{1,1000}",
  "\\u0000",
  "(?i)A",
  ".*.*.*b",
];

const aJson = (dice: Dice, depth: number): Json => {
  if (depth <= 0 || dice.chance(40)) return aScalar(dice);
  return dice.chance(50)
    ? dice.some(4, () => aJson(dice, depth - 1))
    : aMap(dice, 4, () => aJson(dice, depth - 1));
};

export const valueOfType = (dice: Dice, type: string): Json => {
  if (dice.slip(10)) return aJson(dice, 2);
  const word = type.toLowerCase();
  if (word === "number") return dice.chance(90) ? aNumber(dice) : String(dice.below(100));
  if (word === "boolean") return dice.pick([true, false, "yes", "off", 1, "T"]);
  if (word === "json") {
    const value = aJson(dice, 3);
    return dice.chance(50) ? value : JSON.stringify(value);
  }
  if (word.startsWith("comma"))
    return dice.chance(50) ? aText(dice) : dice.some(4, () => aScalar(dice));
  return aText(dice);
};

const aConstraint = (dice: Dice): Json => {
  const bounds = { min: aNumber(dice), ...(dice.chance(60) ? { max: aNumber(dice) } : {}) };
  return dice.pick<Json>([
    { length: bounds },
    { range: bounds },
    { modulo: { step: aNumber(dice), offset: aNumber(dice) } },
    { allowed_values: dice.some(4, () => aScalar(dice)) },
    { allowed_pattern: dice.pick(PATTERNS) },
    { custom_constraint: dice.pick(CUSTOM), description: aText(dice) },
    aScalar(dice),
  ]);
};

const hotParameter = (dice: Dice): Json => {
  const type = dice.pick(TYPES);
  return {
    type,
    ...(dice.slip(25) ? {} : { default: valueOfType(dice, type) }),
    ...(dice.chance(20) ? { hidden: true } : {}),
    ...(dice.chance(5) || dice.slip(20)
      ? { constraints: dice.some(2, () => aConstraint(dice)) }
      : {}),
    ...(dice.slip(5) ? { [aKey(dice)]: aScalar(dice) } : {}),
    ...(dice.chance(5) ? { label: aScalar(dice), description: aScalar(dice) } : {}),
  };
};

const cfnParameter = (dice: Dice): Json => {
  const type = dice.pick(CFN_TYPES);
  return {
    Type: type,
    ...(dice.slip(25) ? {} : { Default: valueOfType(dice, type) }),
    ...(dice.chance(20) ? { NoEcho: dice.pick([true, "true", "x"]) } : {}),
    ...(dice.slip(10) ? { AllowedPattern: dice.pick(PATTERNS) } : {}),
    ...(dice.slip(10) ? { AllowedValues: dice.some(3, () => aScalar(dice)) } : {}),
    ...(dice.slip(10) ? { MinLength: aScalar(dice), MaxValue: aScalar(dice) } : {}),
    ...(dice.slip(5) ? { [aKey(dice)]: aScalar(dice) } : {}),
  };
};

export const parametersSection = (dice: Dice, { format, parameters }: Names): JsonObject => {
  const one = format === "hot" ? hotParameter : cfnParameter;
  return Object.fromEntries(
    parameters.map((name) => [name, dice.slip(2) ? aScalar(dice) : one(dice)]),
  );
};

export const givenParameters = (dice: Dice, { parameters }: Names): JsonObject =>
  Object.fromEntries(
    parameters
      .filter(() => dice.slip(30))
      .map((name) => [name, valueOfType(dice, dice.pick(TYPES))]),
  );
