import type { Json, JsonObject } from "#lib/json.ts";
import { chance, pick } from "../values.ts";
import { aWord, someOf } from "./literals.ts";
import type { Caller, World } from "./world.ts";

const anIndex = (world: World): Json =>
  world.errs()
    ? pick(world.random, ["x", 7, -9, null, [], {}, "1.5"])
    : pick(world.random, [0, -1, "0", 0.9, true, false, " -1 "]);

const strSplit = (indexed: boolean): Caller => ({
  name: "str_split",
  gives: indexed ? "text" : "texts",
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    const delimiter = world.errs()
      ? world.value("any")
      : pick(random, [",", ", ", "a", "é", " ", null]);
    const text = chance(random, 70)
      ? pick(random, ["a,b", "a, b,", ",", "é a é", " a  b ", "a,b,c,d"])
      : world.value("text");
    return indexed || chance(random, 20) ? [delimiter, text, anIndex(world)] : [delimiter, text];
  },
});

const lists = (world: World): Json =>
  world.errs()
    ? world.value("any")
    : someOf(world.random, 4, () =>
        chance(world.random, 15) ? null : world.value(pick(world.random, ["texts", "list"])),
      );

const filter: Caller = {
  name: "filter",
  gives: "list",
  args: (world) => {
    if (world.errs()) return someOf(world.random, 3, () => world.value("list"));
    const few = (): Json =>
      someOf(world.random, 4, () => pick(world.random, [1, 1.5, "a", "b", true, null, {}, []]));
    const list = (): Json => (chance(world.random, 60) ? few() : world.value("list"));
    return [list(), list()];
  },
};

const VARIABLES = ["%v%", "$x", "a", "é"] as const;

const aBody = (world: World, variables: readonly string[]): Json => {
  const { random } = world;
  const text = (): string =>
    variables.map((name) => (chance(random, 80) ? name : "") + aWord(random)).join("");
  switch (random.below(5)) {
    case 0:
      return text();
    case 1:
      return [text(), world.value("any")];
    case 2:
      return { [text()]: text(), k: [text(), 1] };
    case 3:
      return { str_replace: { template: text(), params: { a: "%v%" } } };
    default:
      return world.value("any");
  }
};

const eachOf = (world: World, mapsToo: boolean): Json => {
  const { random } = world;
  if (chance(random, 12)) return null;
  if (mapsToo && chance(random, 20)) return world.value("map");
  return chance(random, 70) ? someOf(random, 3, () => aWord(random)) : world.value("texts");
};

const repeated = (world: World, mapsToo: boolean): JsonObject => {
  const { random } = world;
  const names = [
    ...new Set(Array.from({ length: 1 + random.below(3) }, () => pick(random, VARIABLES))),
  ];
  const each = Object.fromEntries(
    names.map((name) => [name, world.errs() ? world.value("any") : eachOf(world, mapsToo)]),
  );
  return {
    template: aBody(world, names),
    ...(world.errs() ? {} : { for_each: world.errs() ? world.value("any") : each }),
  };
};

const zipped = (world: World): JsonObject => {
  const { random } = world;
  const names = [
    ...new Set(Array.from({ length: 1 + random.below(3) }, () => pick(random, VARIABLES))),
  ];
  const length = 1 + random.below(3);
  const list = (): Json =>
    Array.from({ length: world.errs() ? length + 1 : length }, () => aWord(random));
  return {
    template: aBody(world, names),
    for_each: Object.fromEntries(names.map((name) => [name, chance(random, 8) ? null : list()])),
    permutations: world.errs() ? world.value("any") : false,
  };
};

const repeat = (mapsToo: boolean): Caller => ({
  name: "repeat",
  gives: "list",
  args: (world) => (world.errs() ? world.value("any") : repeated(world, mapsToo)),
});

export const LIST_CALLS: readonly Caller[] = [
  strSplit(false),
  strSplit(true),
  { name: "list_concat", gives: "list", args: lists },
  { name: "list_concat_unique", gives: "list", args: lists },
  filter,
  repeat(false),
];

export const REPEAT_OVER_MAPS: Caller = repeat(true);

export const REPEAT_WITH_PERMUTATIONS: Caller = {
  name: "repeat",
  gives: "list",
  args: (world) => {
    if (world.errs()) return world.value("any");
    if (chance(world.random, 45)) return zipped(world);
    return {
      ...repeated(world, true),
      ...(chance(world.random, 20) ? { permutations: true } : {}),
    };
  },
};

export const CONTAINS: Caller = {
  name: "contains",
  gives: "flag",
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    if (world.errs()) return someOf(random, 3, () => world.value("any"));
    if (chance(random, 40)) return [world.value("text"), world.value("text")];
    return [world.value("any"), world.value(pick(random, ["list", "texts"]))];
  },
};
