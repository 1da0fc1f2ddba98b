import { type Json, parseJson } from "#lib/json.ts";
import { chance, pick } from "../values.ts";
import type { Caller, World } from "./world.ts";

/** Pairs that Python considers equal, and some that it does not. */
const ALIKE = [
  parseJson("[1, 1.0]"),
  parseJson("[0.0, -0.0]"),
  [1, true],
  [0, false],
  ["1", 1],
  [null, ""],
  [[1], [true]],
] as const;

const equals = (name: string): Caller => ({
  name,
  gives: "flag",
  args: (world) => {
    const { random } = world;
    if (world.errs()) return world.value("any");
    const left = world.value("any");
    if (chance(random, 25)) return [left, left];
    if (chance(random, 25)) return pick(random, ALIKE);
    return [left, world.value("any")];
  },
});

const combined = (name: string): Caller => ({
  name,
  gives: "flag",
  args: (world) => {
    if (world.errs()) return world.value("any");
    const count = world.errs() ? world.random.below(2) : 2 + world.random.below(2);
    return Array.from({ length: count }, () => world.condition());
  },
});

const aCondition = (world: World): Json => (world.errs() ? world.value("any") : world.condition());

export const CONDITION_CALLS: readonly Caller[] = [
  equals("equals"),
  { name: "not", gives: "flag", args: aCondition },
  combined("and"),
  combined("or"),
];

export const CFN_CONDITION_CALLS: readonly Caller[] = [
  equals("Fn::Equals"),
  {
    name: "Fn::Not",
    gives: "flag",
    args: (world) => (world.errs() ? world.value("any") : [world.condition()]),
  },
  combined("Fn::And"),
  combined("Fn::Or"),
];

const choosing = (name: string, short: boolean): Caller => ({
  name,
  gives: null,
  args: (world, wanted) => {
    if (world.errs()) return world.value("any");
    const condition = aCondition(world);
    if (short && chance(world.random, 40)) return [condition, world.value(wanted)];
    return [condition, world.value(wanted), world.value(wanted)];
  },
});

export const IF: Caller = choosing("if", false);
export const CFN_IF: Caller = choosing("Fn::If", false);
export const IF_OR_NOTHING: Caller = choosing("if", true);
