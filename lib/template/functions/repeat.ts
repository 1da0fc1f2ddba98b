import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { isJsonArray, member } from "../json-shape.ts";
import { noAttribute, pythonRepr, pythonType } from "../python-text.ts";
import { occurrences } from "../python-values.ts";
import {
  ANY,
  argument,
  type Evaluation,
  type IsCall,
  listOf,
  mapOfAll,
  mapOfSome,
  NOTHING,
  only,
  openKeys,
  optional,
  type Place,
  TEXT,
  type TemplateFunction,
  takesWritten,
  written,
} from "./function.ts";
import { FOUND_CHARACTERS } from "./value-budget.ts";

const USAGE = `"repeat" syntax should be repeat:
              template: This is %var%
              for_each:
                %var%: ['a', 'b', 'c']`;
const NO_BOOLEAN = '"permutations" should be boolean type for repeat function.';
const NO_MAP = 'The "for_each" argument to "repeat" must contain a map';
const UNEQUAL = "For repeat, the length of for_each values should be equal if no nested loop.";

const ITEM_CHARACTERS_MIN = 2;
const TEXT_CHARACTERS = 4;

interface Abilities {
  /** A map is accepted as the list of its keys. */
  readonly maps: boolean;
  readonly permutations: boolean;
}

const refuse = (args: Json, isCall: IsCall, { permutations }: Abilities): string | null => {
  if (!isJsonObject(args) || isCall(args)) return 'Arguments to "repeat" must be a map';
  // Heat raises a KeyError here, and Python shows its text in quotes.
  if (member(args, "for_each") === undefined || member(args, "template") === undefined) {
    return pythonRepr(USAGE);
  }
  const given = permutations ? member(args, "permutations") : undefined;
  return given === undefined || typeof given === "boolean" ? null : NO_BOOLEAN;
};

const refuseLater = (args: Json, isCall: IsCall): string | null => {
  const lists = isJsonObject(args) ? member(args, "for_each") : null;
  return isJsonObject(lists) || (lists !== undefined && isCall(lists)) ? null : NO_MAP;
};

const listIn = (value: Json, takesMaps: boolean): readonly Json[] | null => {
  if (value === null) return null;
  if (isJsonArray(value)) return value;
  if (takesMaps && isJsonObject(value)) return Object.keys(value);
  throw validationFailed(
    `The values of the "for_each" argument to "repeat" must be lists${takesMaps ? " or maps" : ""}`,
  );
};

interface Combinations {
  readonly count: number;
  at(number: number): readonly Json[];
}

const allOf = (lists: readonly (readonly Json[])[]): Combinations => ({
  count: lists.some((list) => list.length === 0)
    ? 0
    : lists.reduce((product, list) => product * list.length, 1),
  at: (number) => {
    let rest = number;
    return lists
      .toReversed()
      .map((list) => {
        const item = list[rest % list.length] ?? null;
        rest = Math.floor(rest / list.length);
        return item;
      })
      .reverse();
  },
});

const oneByOne = (lists: readonly (readonly Json[])[]): Combinations => ({
  count: Math.min(...lists.map((list) => list.length)),
  at: (number) => lists.map((list) => list[number] ?? null),
});

const asReplacement = (value: Json): string => {
  if (typeof value === "string") return value;
  const found = value === null ? "None" : pythonType(value);
  throw validationFailed(`replace() argument 2 must be str, not ${found}`);
};

/** Copies the template with values for the variables. Counts what it builds beforehand. */
class Copier {
  readonly #variables: readonly string[];
  readonly #budget: Evaluation["budget"];
  #built = 0;

  constructor(variables: readonly string[], budget: Evaluation["budget"]) {
    this.#variables = variables;
    this.#budget = budget;
  }

  copy(template: Json, values: readonly Json[]): Json {
    this.#build(ITEM_CHARACTERS_MIN);
    if (typeof template === "string") return this.#text(template, values);
    if (isJsonArray(template)) return template.map((item) => this.copy(item, values));
    if (!isJsonObject(template)) return template;
    return mapOf(
      Object.entries(template).map(([key, value]) => [
        this.#text(key, values),
        this.copy(value, values),
      ]),
    );
  }

  /** Replaces variable after variable, so a later one is also found in an earlier one's value. */
  #text(template: string, values: readonly Json[]): string {
    let text = template;
    this.#variables.forEach((variable, index) => {
      text = this.#replaced(text, variable, asReplacement(values[index] ?? null));
    });
    this.#build(text.length);
    return text;
  }

  #replaced(text: string, variable: string, value: string): string {
    this.#budget.search("repeat", text.length + TEXT_CHARACTERS);
    // In Python an empty text occurs around each character.
    const parts = variable === "" ? ["", ...text, ""] : null;
    const count = parts === null ? occurrences(text, variable) : parts.length - 1;
    if (count === 0) return text;
    // An empty variable splits the text into single characters, which costs more than a find.
    this.#budget.search("repeat", count * FOUND_CHARACTERS * (parts === null ? 1 : 2));
    const characters = text.length + count * (value.length - variable.length);
    this.#budget.mayBuild("repeat", this.#built + characters);
    return (parts ?? text.split(variable)).join(value);
  }

  #build(characters: number): void {
    this.#built += characters;
    this.#budget.mayBuild("repeat", this.#built);
  }
}

const evaluate = (args: JsonObject, evaluation: Evaluation, abilities: Abilities): Json => {
  const forEach = evaluation.resolve(member(args, "for_each") ?? null);
  if (!isJsonObject(forEach)) throw validationFailed(noAttribute(forEach, "items"));
  const variables = Object.keys(forEach);
  if (variables.length === 0) {
    throw validationFailed("not enough values to unpack (expected 2, got 0)");
  }
  const isNested = !abilities.permutations || member(args, "permutations") !== false;
  const lists = Object.values(forEach).map((value) => listIn(value, abilities.maps && isNested));
  const lengths = new Set(lists.flatMap((list) => (list === null ? [] : [list.length])));
  if (!isNested && lengths.size > 1) throw validationFailed(UNEQUAL);
  const template = evaluation.resolve(member(args, "template") ?? null);
  const combinations = (isNested ? allOf : oneByOne)(lists.map((list) => list ?? []));
  evaluation.budget.mayBuild("repeat", combinations.count * ITEM_CHARACTERS_MIN);
  const copier = new Copier(variables, evaluation.budget);
  return Array.from({ length: combinations.count }, (_, number) => {
    evaluation.budget.search("repeat", variables.length);
    return copier.copy(template, combinations.at(number));
  });
};

const LIST = listOf(TEXT);

const shapesFor = ({ maps, permutations }: Abilities): Place => {
  const template = argument("template", "what has the names in its texts and keys", ANY);
  const nested = argument(
    "for_each",
    "the items that stand for each name",
    mapOfSome(LIST, ...(maps ? [mapOfAll(ANY)] : []), NOTHING),
  );
  if (!permutations) return takesWritten(openKeys(template, nested));
  const isNested = argument("permutations", "all combinations", only(true));
  const isNot = argument("permutations", "the lists are taken side by side", only(false));
  return takesWritten(
    openKeys(template, nested, optional(written(isNested))),
    openKeys(
      template,
      argument("for_each", "lists of one length", mapOfSome(LIST, NOTHING)),
      written(isNot),
    ),
  );
};

const repeating = (abilities: Abilities): TemplateFunction => ({
  name: "repeat",
  description: "A template, once for each item of a list or for each combination of several.",
  takes: shapesFor(abilities),
  refuse: (args, isCall) => refuse(args, isCall, abilities),
  refuseLater,
  evaluate: (args, evaluation) =>
    isJsonObject(args) ? evaluate(args, evaluation, abilities) : null,
});

export const repeat = repeating({ maps: false, permutations: false });
export const repeatMaps = repeating({ maps: true, permutations: false });
export const repeatPermutations = repeating({ maps: true, permutations: true });
