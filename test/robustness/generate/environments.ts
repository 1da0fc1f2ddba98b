import type { Json, JsonObject } from "#lib/json.ts";
import type { Dice } from "../dice.ts";
import type { Names } from "./names.ts";
import { givenParameters } from "./parameters.ts";
import { aKey, aScalar } from "./scalars.ts";

const TARGETS = [
  "child.yaml",
  "other.template",
  "OS::Heat::None",
  "OS::Heat::Value",
  "My::Child",
  null,
];
const TYPES = [
  "My::Child",
  "My::*",
  "*",
  "OS::*",
  "OS::Heat::Value",
  "My::W*",
  "child.yaml",
  "__proto__",
];

const settings = (dice: Dice): Json =>
  dice.pick<Json>([
    { hooks: dice.pick<Json>(["pre-create", ["pre-update", "x"], null]) },
    { restricted_actions: dice.pick<Json>(["update", ["replace"], 1]) },
    { [dice.pick(TYPES)]: dice.pick(TARGETS) },
    aScalar(dice),
  ]);

const registry = (dice: Dice, { resources }: Names): JsonObject => ({
  ...Object.fromEntries(
    dice.slip(60)
      ? dice.some(3, () => [dice.pick(TYPES), dice.pick(TARGETS)])
      : [["My::Child", "child.yaml"]],
  ),
  ...(dice.chance(30)
    ? {
        resources: Object.fromEntries(
          dice.some(3, () => [
            dice.pick([...resources, "*", "r*", "a*b*c"]),
            dice.slip(50) ? settings(dice) : { hooks: "pre-create" },
          ]),
        ),
      }
    : {}),
});

export const anEnvironment = (dice: Dice, names: Names): JsonObject => ({
  ...(dice.chance(40) ? { parameters: givenParameters(dice, names) } : {}),
  ...(dice.chance(40) ? { parameter_defaults: givenParameters(dice, names) } : {}),
  ...(dice.chance(60) ? { resource_registry: registry(dice, names) } : {}),
  ...(dice.chance(15)
    ? {
        parameter_merge_strategies: Object.fromEntries(
          ["default", ...names.parameters]
            .filter(() => dice.chance(50))
            .map((name) => [name, dice.pick(["merge", "deep_merge", "overwrite", "x", null])]),
        ),
      }
    : {}),
  ...(dice.slip(3) ? { [aKey(dice)]: aScalar(dice) } : {}),
});
