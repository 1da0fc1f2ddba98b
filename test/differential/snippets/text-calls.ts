import { type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { chance, pick } from "../values.ts";
import { aWord, someOf } from "./literals.ts";
import type { Caller, World } from "./world.ts";

const DELIMITERS = [",", "", "-", ", ", "é", "ab"] as const;

export const listOf = (world: World, item: () => Json): Json =>
  chance(world.random, 70) ? someOf(world.random, 3, item) : world.value("texts");

const aDelimiter = (world: World): Json =>
  chance(world.random, 80) ? pick(world.random, DELIMITERS) : world.value("text");

export const joined = (world: World, lists: number): Json => {
  if (world.errs()) return world.value("any");
  const list = (): Json =>
    listOf(world, () => (chance(world.random, 12) ? null : world.value("text")));
  return [aDelimiter(world), ...Array.from({ length: lists }, list)];
};

const PLACEHOLDERS = ["$a", "$b", "$ab", "%v%", "é", "a", "\u{1f600}", "\uffee"] as const;

export interface Replacing {
  readonly template: Json;
  readonly params: Json;
}

export const replacing = (world: World, strict: boolean, value: () => Json): Replacing => {
  const { random } = world;
  const used = [...new Set(someOf(random, 4, () => pick(random, PLACEHOLDERS)))];
  const kept = strict ? used.filter((one) => used.every((other) => covers(one, other))) : used;
  const pieces = kept.flatMap((one) => (strict || chance(random, 70) ? [one, aWord(random)] : []));
  const params: JsonObject = Object.fromEntries(kept.map((one) => [one, value()]));
  return {
    template: strict || chance(random, 85) ? pieces.join("") : world.value("text"),
    params: world.errs() ? world.value("any") : params,
  };
};

/** A longer placeholder is replaced first, so none may contain another. */
const covers = (one: string, other: string): boolean => one === other || !other.includes(one);

const replaces = (name: string, strict: boolean, value: (world: World) => Json): Caller => ({
  name,
  gives: "text",
  args: (world) => {
    if (world.errs()) return world.value("any");
    const { template, params } = replacing(world, strict, () => value(world));
    if (world.errs()) return { template };
    return { template, params };
  },
});

const scalar = (world: World): Json =>
  chance(world.random, 10) ? null : world.value(pick(world.random, ["text", "number", "flag"]));

const notEmpty = (world: World): Json =>
  world.errs()
    ? world.value("any")
    : pick(world.random, ["x", "é", 0, 1.5, true, false, [1], { a: null }]);

const ALGORITHMS = [
  "md5",
  "sha1",
  "SHA256",
  "sha512",
  "sha3_256",
  "blake2b",
  "blake2s",
  "ripemd160",
  "sha512_256",
] as const;
const LATIN = ["", "a", "é", "ÿ\u0000", "a,b"] as const;

const digest: Caller = {
  name: "digest",
  gives: "text",
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    if (world.errs()) return [world.value("text"), world.value("text")];
    const name = world.errs()
      ? pick(random, ["SHA3_256", "shake_128", "md6", 1])
      : pick(random, ALGORITHMS);
    return [name, chance(random, 70) ? pick(random, LATIN) : world.value("text")];
  },
};

const HUGE = parseJson("1e+20");

const aPort = (world: World): Json =>
  world.errs()
    ? pick(world.random, [0, 65_536, -1, "x", 1.5, true, null, "0", [], HUGE])
    : pick(world.random, [1, 80, 65_535, "8080", " 7 "]);

const PARTS = ["scheme", "username", "password", "host", "path", "fragment"] as const;
const PART_TEXTS = [
  "",
  "http",
  "user name",
  "p@ss/w:rd",
  "::1",
  "[::1]",
  "é",
  "/a b/c",
  "a?b#c",
  "file",
  "//x",
] as const;

const urlText = (world: World): Json =>
  chance(world.random, 85) ? pick(world.random, PART_TEXTS) : world.value("text");

const makeUrl: Caller = {
  name: "make_url",
  gives: "text",
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    const parts = PARTS.filter(() => chance(random, 45));
    const texts = parts.map((part): [string, Json] => [
      part,
      part === "scheme" ? pick(random, ["http", "https", "", "file", "x"]) : urlText(world),
    ]);
    const port: [string, Json][] = chance(random, 40) ? [["port", aPort(world)]] : [];
    const query: [string, Json][] = chance(random, 40) ? [["query", aQuery(world)]] : [];
    const odd: [string, Json][] = world.errs() ? [["bogus", "x"]] : [];
    const all = [...texts, ...port, ...query, ...odd];
    return Object.fromEntries(all.toSorted(() => (chance(random, 50) ? 1 : -1)));
  },
};

const aQuery = (world: World): Json =>
  chance(world.random, 60)
    ? Object.fromEntries(someOf(world.random, 3, () => [aWord(world.random), world.value("any")]))
    : world.value("map");

export const TEXT_CALLS: readonly Caller[] = [
  { name: "list_join", gives: "text", args: (world) => joined(world, 1) },
  replaces("str_replace", false, scalar),
  replaces("str_replace_strict", true, (world) => world.value("any")),
  replaces("str_replace_vstrict", true, notEmpty),
  digest,
  makeUrl,
  {
    name: "get_file",
    gives: "text",
    args: (world) =>
      world.errs() ? world.value("any") : pick(world.random, ["a.txt", "é.txt", "empty"]),
  },
];

export const LATER_TEXT_CALLS: readonly Caller[] = [
  {
    name: "list_join",
    gives: "text",
    args: (world) => {
      const lists = 1 + world.random.below(3);
      if (chance(world.random, 70)) return joined(world, lists);
      const list = (): Json =>
        listOf(world, () => world.value(pick(world.random, ["text", "map", "list"])));
      return [aDelimiter(world), ...Array.from({ length: lists }, list)];
    },
  },
  replaces("str_replace", false, (world) => world.value("any")),
];
