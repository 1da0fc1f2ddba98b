import { DIRECTED_BASICS } from "./basics.ts";
import { DIRECTED_BATCHES } from "./batches.ts";
import type { Case } from "./case.ts";
import { DIRECTED_DECISIONS } from "./decisions.ts";
import { DIRECTED_DELETES_AT_ONCE } from "./deletes-at-once.ts";
import { DIRECTED_EXTERNAL_OBJECTS } from "./external-objects.ts";
import { DIRECTED_FAULTS } from "./faults.ts";
import { DIRECTED_GRAPH_PARTS } from "./graph-parts.ts";
import { DIRECTED_GROUP_PLANS } from "./group-plans.ts";
import { DIRECTED_GROUP_TARGETS } from "./group-targets.ts";
import { DIRECTED_GROUPS } from "./groups.ts";
import { DIRECTED_HEAT } from "./heat.ts";
import { DIRECTED_HEAT_LATE } from "./heat-late.ts";
import { DIRECTED_HELD_OBJECTS } from "./held-objects.ts";
import { DIRECTED_HOOKS } from "./hooks.ts";
import { DIRECTED_KEPT_LEASES } from "./kept-leases.ts";
import { DIRECTED_LADDERS } from "./ladders.ts";
import { DIRECTED_LIFE } from "./life.ts";
import { DIRECTED_NESTED } from "./nested.ts";
import { DIRECTED_NETS } from "./nets.ts";
import { DIRECTED_PARTIAL } from "./partial.ts";
import { DIRECTED_PARTIAL_COUNTS } from "./partial-counts.ts";
import { DIRECTED_PARTIAL_GROUPS } from "./partial-groups.ts";
import { DIRECTED_RESTORED } from "./restored-folders.ts";
import { DIRECTED_SAME_TARGET } from "./same-target.ts";
import { DIRECTED_SCALING } from "./scaling.ts";
import { DIRECTED_SHARED_OBJECTS } from "./shared-objects.ts";
import { DIRECTED_SIGNALS } from "./signals.ts";
import { DIRECTED_STAMPS } from "./stamps.ts";
import { DIRECTED_SUPERSEDED } from "./superseded.ts";
import { DIRECTED_ROUNDS, DIRECTED_SWEEPER } from "./sweeper.ts";
import { DIRECTED_TRACES } from "./traces.ts";
import { DIRECTED_TRACES_OF_ENDS } from "./traces-of-ends.ts";
import { DIRECTED_WAITING_DELETES } from "./waiting-deletes.ts";

export const ALL_DIRECTED: readonly Case[] = [
  ...DIRECTED_LADDERS,
  ...DIRECTED_BASICS,
  ...DIRECTED_SIGNALS,
  ...DIRECTED_FAULTS,
  ...DIRECTED_STAMPS,
  ...DIRECTED_TRACES,
  ...DIRECTED_TRACES_OF_ENDS,
  ...DIRECTED_HEAT,
  ...DIRECTED_HEAT_LATE,
  ...DIRECTED_DECISIONS,
  ...DIRECTED_NETS,
  ...DIRECTED_SWEEPER,
  ...DIRECTED_ROUNDS,
  ...DIRECTED_SUPERSEDED,
  ...DIRECTED_HOOKS,
  ...DIRECTED_LIFE,
  ...DIRECTED_NESTED,
  ...DIRECTED_BATCHES,
  ...DIRECTED_GROUPS,
  ...DIRECTED_GROUP_PLANS,
  ...DIRECTED_GROUP_TARGETS,
  ...DIRECTED_SCALING,
  ...DIRECTED_SAME_TARGET,
  ...DIRECTED_PARTIAL,
  ...DIRECTED_PARTIAL_COUNTS,
  ...DIRECTED_PARTIAL_GROUPS,
  ...DIRECTED_SHARED_OBJECTS,
  ...DIRECTED_EXTERNAL_OBJECTS,
  ...DIRECTED_HELD_OBJECTS,
  ...DIRECTED_DELETES_AT_ONCE,
  ...DIRECTED_KEPT_LEASES,
  ...DIRECTED_GRAPH_PARTS,
  ...DIRECTED_WAITING_DELETES,
  ...DIRECTED_RESTORED,
];
