import { type Json, type JsonObject, parseJson } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import { aMap, aNumber, aText, aValue, chance, pick } from "../values.ts";
import type { Kind } from "./world.ts";

/** The words are short, so that one often contains another. */
const WORDS = [
  "a",
  "b",
  "ab",
  "x,y",
  "a,b,c",
  "k1",
  "k2",
  "é",
  "日本",
  "",
  " ",
  "1",
  "%v%",
] as const;
const KEYS = ["a", "b", "ab", "k1", "k2", "é", "\uffee", "\u{1f600}", "", "10", "2"] as const;
const NUMBERS = [
  "0",
  "1",
  "2",
  "3",
  "-1",
  "1.0",
  "1.5",
  "-0.0",
  "1e+20",
  "9007199254740993",
  "123456789012345678901234567890",
] as const;

export const aWord = (random: Random): string =>
  chance(random, 75) ? pick(random, WORDS) : aText(random);

export const aKey = (random: Random): string => pick(random, KEYS);

export const anyNumber = (random: Random): Json =>
  chance(random, 80) ? parseJson(pick(random, NUMBERS)) : aNumber(random);

export const someOf = <Item>(random: Random, most: number, item: () => Item): Item[] =>
  Array.from({ length: random.below(most + 1) }, item);

export const mapOf = (random: Random, value: () => Json): JsonObject =>
  Object.fromEntries(someOf(random, 3, () => [aKey(random), value()]));

export const literal = (random: Random, kind: Kind): Json => {
  switch (kind) {
    case "text":
      return aWord(random);
    case "number":
      return anyNumber(random);
    case "flag":
      return chance(random, 50);
    case "list":
      return someOf(random, 3, () => literal(random, "any"));
    case "texts":
      return someOf(random, 3, () => aWord(random));
    case "map":
      return chance(random, 80) ? mapOf(random, () => literal(random, "any")) : aMap(random);
    case "any":
      if (chance(random, 10)) return null;
      if (chance(random, 15)) return aValue(random);
      return literal(
        random,
        pick(random, ["text", "text", "number", "flag", "texts", "map"] as const),
      );
  }
};
