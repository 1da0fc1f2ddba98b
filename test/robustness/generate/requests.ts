import type { JsonObject } from "#lib/json.ts";
import type { Dice } from "../dice.ts";
import type { PlayedRequest } from "../input.ts";
import { anEnvironment } from "./environments.ts";
import { type Names, namesFor } from "./names.ts";
import { givenParameters } from "./parameters.ts";
import type { KnownTypes } from "./resources.ts";
import { aText } from "./scalars.ts";
import { aTemplate } from "./templates.ts";
import { documentText } from "./yaml-writer.ts";

const formatOf = (dice: Dice) => (dice.chance(80) ? "hot" : "cfn");

/** A nested template uses few resources, so that most nests come to an end. */
const child = (dice: Dice, types: KnownTypes): string => {
  const names = namesFor(dice, formatOf(dice));
  const few: Names = { ...names, resources: names.resources.slice(0, 1 + dice.below(2)) };
  return documentText(dice, aTemplate(dice, few, types));
};

const filesFor = (
  dice: Dice,
  names: Names,
  types: KnownTypes,
): Readonly<Record<string, string>> => ({
  "child.yaml": child(dice, types),
  ...(dice.slip(40) ? {} : { "other.template": child(dice, types) }),
  "script.sh": aText(dice),
  "env.yaml": documentText(dice, anEnvironment(dice, names)),
});

const parametersFor = (dice: Dice, names: Names): JsonObject =>
  dice.chance(60) ? givenParameters(dice, names) : {};

export const aRequest = (dice: Dice, types: KnownTypes): PlayedRequest => {
  const names = namesFor(dice, formatOf(dice));
  const template = aTemplate(dice, names, types);
  const environment = dice.chance(50) ? anEnvironment(dice, names) : null;
  return {
    template: dice.chance(25) ? template : documentText(dice, template),
    files: filesFor(dice, names, types),
    environment:
      environment === null || dice.chance(40) ? environment : documentText(dice, environment),
    environmentFiles: dice.chance(15)
      ? dice.some(3, () => (dice.slip(20) ? "none.yaml" : "env.yaml"))
      : [],
    parameters: parametersFor(dice, names),
  };
};
