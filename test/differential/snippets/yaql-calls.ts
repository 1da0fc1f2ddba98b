import { type Json, type JsonObject, parseJson } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import { chance, pick } from "../values.ts";
import { aKey, anyNumber, aWord, literal, mapOf, someOf } from "./literals.ts";
import type { Caller, World } from "./world.ts";
import { LEAVES, PRODUCTIONS, type Sort } from "./yaql-grammar.ts";

const DEPTH_MAX = 3;
const SLOT = /<([A-Za-z])>/g;
const INNER = ["N", "F", "T", "B", "L", "S", "D", "G", "A"] as const;
/** Sets become lists and keys become strings, so other functions never receive them. */
const OUTERMOST = [...INNER, "U", "K"] as const;
const MISTAKEN = [...INNER, "c", "x"] as const;

const isSort = (letter: string): letter is Sort => Object.hasOwn(LEAVES, letter);

/** Sometimes chooses an expression of another kind on purpose. */
const expression = (world: World, sort: Sort, depth: number): string => {
  const { random } = world;
  const kind = depth > 0 && world.errs() ? pick(random, MISTAKEN) : sort;
  const rules = PRODUCTIONS[kind];
  const leaf =
    depth >= DEPTH_MAX || rules.length === 0 || (depth > 0 && chance(random, 35 + 10 * depth));
  const rule = leaf ? pick(random, LEAVES[kind]) : (rules[random.below(rules.length)] ?? "null");
  return rule.replace(SLOT, (slot, letter: string) =>
    isSort(letter) ? operand(expression(world, letter, depth + 1)) : slot,
  );
};

const operand = (text: string): string =>
  /^[\w$.'[\]]*$|^'[^']*'$/.test(text) ? text : `(${text})`;

const data = (random: Random): JsonObject => ({
  n: someOf(random, 4, () => random.below(5)),
  s: someOf(random, 4, () => aWord(random)),
  d: mapOf(random, () => random.below(4)),
  g: someOf(random, 3, () => ({ k: pick(random, ["a", "b", "é"]), v: random.below(4) })),
  x: aWord(random),
  y: pick(random, ["abc", "a,b", "aab", "é a"]),
  i: random.below(9) - 3,
  j: chance(random, 90) ? random.below(5) : anyNumber(random),
  f: parseJson(pick(random, ["1.0", "2.5", "-0.5", "3", "0.1"])),
  b: chance(random, 50),
  z: null,
  m: { [aKey(random)]: literal(random, "any") },
});

const BROKEN = [
  "",
  "$.",
  "1 +",
  "'a",
  "$.data.nope()",
  "foo(1)",
  "[1",
  "1 1",
  "$.data.n.select()",
  "a b",
  "#",
  "$.data.n[",
  "len()",
] as const;

export const YAQL: Caller = {
  name: "yaql",
  gives: null,
  args: (world, wanted): Json => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    const root = (
      { text: "T", number: "N", flag: "B", list: "L", texts: "S", map: "D", any: null } as const
    )[wanted];
    const sort = root === null ? pick(random, world.isOutermost ? OUTERMOST : INNER) : root;
    const source = world.errs() ? pick(random, BROKEN) : expression(world, sort, 0);
    const given = chance(random, 90)
      ? data(random)
      : { ...data(random), n: world.value("list"), d: world.value("map") };
    return {
      expression: source,
      ...(world.errs() ? {} : { data: given }),
      ...(world.errs() ? { bogus: 1 } : {}),
    };
  },
};
