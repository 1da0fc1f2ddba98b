/** How far an operation is that runs or has failed, in resources that it visits. */
import { indexGraph } from "#lib/convergence/graph/indexed-graph.ts";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import type { JsonObject } from "#lib/json.ts";
import type { StoredGraph } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { rowPages } from "#lib/stack/planned-rows.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";

type StackProgress = Readonly<Record<"total" | "done" | "running" | "failed", number>>;

/**
 * A large stack costs as many reads as its list of resources.
 * @limit stacks of a list that tell their progress
 * @beyond the others show their status only
 */
const PROGRESSES_MAX = 20;

/** By the id of the stack, as a part of its document. */
export const progressesOf = async (
  ports: Ports,
  stacks: readonly Stack[],
): Promise<ReadonlyMap<string, { readonly progress: JsonObject }>> => {
  const open = stacks.filter(({ status }) => status !== "COMPLETE");
  const read = open.slice(0, PROGRESSES_MAX).map((stack) => async () => {
    const progress = await progressOf(ports, stack);
    return progress === null ? [] : [[stack.id, { progress: { ...progress } }] as const];
  });
  return new Map((await inParallel(read)).flat());
};

/** @returns null for a stack that is complete, and before it is planned what is visited. */
const progressOf = async (ports: Ports, stack: Stack): Promise<StackProgress | null> => {
  const { id, traversalId, status } = stack;
  const stored = status === "COMPLETE" ? null : await ports.store.getGraph(id, traversalId);
  if (stored === null) return null;
  const stays = await visitedNames(ports, stored);
  const running = new Set<string>();
  const failed = new Set<string>();
  const updated = new Set<string>();
  const extant = new Set<string>();
  for await (const rows of rowPages(ports, id)) {
    for (const row of rows.filter(({ name }) => stays.has(name))) {
      if (row.operation !== null) running.add(row.name);
      if (row.failed?.traversalId === traversalId) failed.add(row.name);
      if (row.updateDone === traversalId) updated.add(row.name);
      if (isExtant(row)) extant.add(row.name);
    }
  }
  const done = [...stays].filter(([name, isKept]) => {
    if (running.has(name) || failed.has(name)) return false;
    return isKept ? updated.has(name) : !extant.has(name);
  });
  return { total: stays.size, done: done.length, running: running.size, failed: failed.size };
};

/** Whether each name stays in the stack, or is only removed from it. */
const visitedNames = async (
  ports: Ports,
  stored: StoredGraph,
): Promise<ReadonlyMap<string, boolean>> => {
  const names = new Map<string, boolean>();
  for await (const nodes of indexGraph(ports, stored).walk()) {
    for (const { name, isUpdate } of nodes) names.set(name, isUpdate || names.get(name) === true);
  }
  return names;
};
