/** CloudFormation's functions, which the first version of Heat's language has too. */
import type { Json } from "#lib/json.ts";
import { chance, pick } from "../values.ts";
import { aWord, someOf } from "./literals.ts";
import { CFN_REFERENCE_CALLS } from "./reference-calls.ts";
import { joined, replacing } from "./text-calls.ts";
import type { Caller, World } from "./world.ts";

const select: Caller = {
  name: "Fn::Select",
  gives: null,
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    if (chance(random, 20)) return [pick(random, ["0", "a", "k1"]), aJsonText(world)];
    if (chance(random, 40)) return [world.value("text"), world.value("map")];
    const index = world.errs() ? world.value("any") : pick(random, [0, "0", 1, -1, "1", 9]);
    return [index, world.value(pick(random, ["texts", "list"]))];
  },
};

const aJsonText = (world: World): Json =>
  pick(world.random, [
    '{"a": 1, "k1": [1.0]}',
    "[1, 2.50]",
    '["é"]',
    "",
    '{"0": null}',
    ...(world.errs() ? ["{", "x", "1"] : []),
  ]);

const split: Caller = {
  name: "Fn::Split",
  gives: "texts",
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    const delimiter = world.errs() ? world.value("any") : pick(random, [",", "a", "é", "::"]);
    return [
      delimiter,
      chance(random, 60) ? pick(random, ["a,b", ",", "aé", ""]) : world.value("text"),
    ];
  },
};

const scalar = (world: World): Json =>
  chance(world.random, 10) ? null : world.value(pick(world.random, ["text", "number", "flag"]));

const replace: Caller = {
  name: "Fn::Replace",
  gives: "text",
  args: (world) => {
    if (world.errs()) return world.value("any");
    const { template, params } = replacing(world, false, () => scalar(world));
    return world.errs() ? [template, params] : [params, template];
  },
};

const members = (world: World): Json => {
  const { random } = world;
  const numbers = [...new Set(someOf(random, 4, () => random.below(4)))];
  const items = numbers.flatMap((number) => {
    const name = `.member.${number}.Name=${aWord(random)}`;
    const value = `.member.${number}.Value=${aWord(random)}`;
    return chance(random, 92) ? [name, value] : [name];
  });
  return world.errs() ? [...items, world.value("any")] : items;
};

const memberListToMap: Caller = {
  name: "Fn::MemberListToMap",
  gives: "map",
  args: (world) => {
    if (world.errs()) return world.value("any");
    const names = world.errs() ? [world.value("any"), "Value"] : ["Name", "Value"];
    return [...names, world.errs() ? world.value("texts") : members(world)];
  },
};

export const CFN_CALLS: readonly Caller[] = [
  ...CFN_REFERENCE_CALLS,
  { name: "Fn::GetAZs", gives: "texts", args: (world) => world.value("text") },
  { name: "Fn::Join", gives: "text", args: (world) => joined(world, 1) },
  split,
  replace,
  { name: "Fn::Base64", gives: "text", args: (world) => world.value("text") },
  memberListToMap,
];

export const CFN_SELECT: Caller = select;

export const FIND_IN_MAP: Caller = {
  name: "Fn::FindInMap",
  gives: null,
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    const word = (right: string): Json => (world.errs() ? world.value("text") : right);
    return [word("m"), word(pick(random, ["k", "é"])), word(pick(random, ["v", "w"]))];
  },
};
