import type { Json, JsonObject } from "#lib/json.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import type { Dice } from "../dice.ts";
import { HOT_VERSIONS, type Names, nameOf } from "./names.ts";
import { parametersSection } from "./parameters.ts";
import { chosenTypes, type KnownTypes, resourcesSection } from "./resources.ts";
import { aKey, aMap, aScalar } from "./scalars.ts";
import { aCondition, aConditionCall, aValue } from "./values.ts";

const conditionsSection = (dice: Dice, names: Names): JsonObject =>
  Object.fromEntries(
    names.conditions.map((name, at) => {
      const before = { ...names, conditions: names.conditions.slice(0, dice.slip(5) ? 9 : at) };
      const isPlain = at === 0 || dice.chance(30);
      return [name, isPlain ? dice.chance(50) : aConditionCall(dice, before)];
    }),
  );

const outputsSection = (dice: Dice, names: Names): JsonObject => {
  const [value, condition] =
    names.format === "hot" ? ["value", "condition"] : ["Value", "Condition"];
  return Object.fromEntries(
    dice.some(4, (at) => [
      dice.slip(5) ? aKey(dice) : `o${at}`,
      {
        [value]: aValue(dice, names, 4),
        ...(names.conditions.length > 0 && dice.chance(10)
          ? { [condition]: aCondition(dice, names) }
          : {}),
        ...(dice.chance(5) ? { description: aScalar(dice) } : {}),
      },
    ]),
  );
};

const groups = (dice: Dice, names: Names): Json =>
  dice.some(2, () => ({
    label: aScalar(dice),
    parameters: dice.some(3, () => nameOf(dice, names.parameters)),
  }));

type Types = ReadonlyMap<string, ResourceType | null>;

const hotTemplate = (dice: Dice, given: Names, types: Types): JsonObject => {
  const version = dice.pick(dice.chance(30) ? HOT_VERSIONS : ["2018-08-31", "2021-04-16"]);
  const names = version >= "2016-10-14" ? given : { ...given, conditions: [] };
  return {
    heat_template_version: version,
    parameters: parametersSection(dice, names),
    ...(dice.slip(5) ? { parameter_groups: groups(dice, names) } : {}),
    ...(version >= "2016-10-14" ? { conditions: conditionsSection(dice, names) } : {}),
    resources: resourcesSection(dice, names, types),
    outputs: outputsSection(dice, names),
  };
};

const cfnTemplate = (dice: Dice, given: Names, types: Types): JsonObject => {
  const isAws = dice.chance(70);
  const names = isAws ? given : { ...given, conditions: [] };
  return {
    ...(isAws
      ? { AWSTemplateFormatVersion: "2010-09-09" }
      : { HeatTemplateFormatVersion: "2012-12-12" }),
    Parameters: parametersSection(dice, names),
    Mappings: { m0: aMap(dice, 3, () => aMap(dice, 3, () => aScalar(dice))) },
    ...(isAws ? { Conditions: conditionsSection(dice, names) } : {}),
    Resources: resourcesSection(dice, names, types),
    Outputs: outputsSection(dice, names),
  };
};

export const aTemplate = (dice: Dice, names: Names, types: KnownTypes): JsonObject => {
  const made = names.format === "hot" ? hotTemplate : cfnTemplate;
  const chosen = chosenTypes(dice, names, types);
  const attributes = new Map(
    [...chosen].map(([name, type]) => [
      name,
      type === null || type.schema.attributes === "any" ? [] : Object.keys(type.schema.attributes),
    ]),
  );
  const template = made(dice, { ...names, attributes }, chosen);
  if (!dice.slip(3)) return template;
  const sections = Object.keys(template);
  return { ...template, [dice.chance(50) ? dice.pick(sections) : aKey(dice)]: aScalar(dice) };
};
