/** All directed cases: what directed.test.ts runs, what mutants are hunted with, and what the labels in docs/convergence.md are looked for in. */
import { type Case, DIRECTED } from "./directed.ts";
import { DIRECTED_BATCHES } from "./directed-batches.ts";
import { DIRECTED_DECISIONS } from "./directed-decisions.ts";
import { DIRECTED_FAULTS } from "./directed-faults.ts";
import { DIRECTED_HEAT } from "./directed-heat.ts";
import { DIRECTED_HEAT_LATE } from "./directed-heat-late.ts";
import { DIRECTED_HOOKS } from "./directed-hooks.ts";
import { DIRECTED_LIFE } from "./directed-life.ts";
import { DIRECTED_NESTED } from "./directed-nested.ts";
import { DIRECTED_NETS } from "./directed-nets.ts";
import { DIRECTED_SAME_TARGET } from "./directed-same-target.ts";
import { DIRECTED_STAMPS } from "./directed-stamps.ts";
import { DIRECTED_TRACES } from "./directed-traces.ts";
import { DIRECTED_TRACES_OF_ENDS } from "./directed-traces-of-ends.ts";

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
