/** All directed cases: what directed.test.ts runs, what mutants are hunted with, and what the labels in docs/convergence.md are looked for in. */
import { type Case, DIRECTED } from "./basics.ts";
import { DIRECTED_BATCHES } from "./batches.ts";
import { DIRECTED_DECISIONS } from "./decisions.ts";
import { DIRECTED_FAULTS } from "./faults.ts";
import { DIRECTED_HEAT } from "./heat.ts";
import { DIRECTED_HEAT_LATE } from "./heat-late.ts";
import { DIRECTED_HOOKS } from "./hooks.ts";
import { DIRECTED_LIFE } from "./life.ts";
import { DIRECTED_NESTED } from "./nested.ts";
import { DIRECTED_NETS } from "./nets.ts";
import { DIRECTED_SAME_TARGET } from "./same-target.ts";
import { DIRECTED_STAMPS } from "./stamps.ts";
import { DIRECTED_TRACES } from "./traces.ts";
import { DIRECTED_TRACES_OF_ENDS } from "./traces-of-ends.ts";

export const ALL_DIRECTED: readonly Case[] = [
  ...DIRECTED,
  ...DIRECTED_FAULTS,
  ...DIRECTED_STAMPS,
  ...DIRECTED_TRACES,
  ...DIRECTED_TRACES_OF_ENDS,
  ...DIRECTED_HEAT,
  ...DIRECTED_HEAT_LATE,
  ...DIRECTED_DECISIONS,
  ...DIRECTED_NETS,
  ...DIRECTED_HOOKS,
  ...DIRECTED_LIFE,
  ...DIRECTED_NESTED,
  ...DIRECTED_BATCHES,
  ...DIRECTED_SAME_TARGET,
];
