/**
 * P9: making the row that replaces another, and P5's rule for whom a replacement acts. Everybody has
 * to work from the same version of the graph, so a replacement impersonates the row that the graph names.
 */
import type { NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { asRead, newRow } from "./claim.ts";
import type { IndexedGraph } from "./convergence-graph.ts";
import { TOMBSTONE_MS } from "./limits.ts";
import { replacementId, type Visit } from "./visit.ts";

export type Replacement =
  | { readonly replacement: "made"; readonly node: NodeKey }
  | { readonly replacement: "fenced" }
  /** Somebody wrote the row in between: read it again. */
  | { readonly replacement: "moved" };

/**
 * Points the old row at its replacement, on condition that it is as read (not fenced, not busy, not
 * replaced), and then makes the new row. In this order a crash leaves no row that nobody points at, and
 * whoever fences the old row sees which row may still be born.
 */
export const makeReplacement = async (
  ports: Ports,
  visit: Visit,
  old: Resource,
): Promise<Replacement> => {
  const id = replacementId(ports, visit.message.traversalId, old.id);
  const { traversalNumber } = visit.index.graph;
  const pointed = await ports.store.writeResource(
    { stackId: old.stackId, id: old.id },
    [
      asRead(old),
      { clause: "noLiveLease", now: ports.clock.now() },
      { clause: "numberAtMost", number: traversalNumber },
    ],
    {
      set: {
        number: traversalNumber,
        replacedBy: id,
        waitUntil: null,
        ...goneIfNeverMade(ports, old),
      },
    },
  );
  if (pointed.written || pointed.row?.replacedBy === id) {
    return { replacement: "made", node: await bearReplacement(ports, visit, old) };
  }
  const isFenced = pointed.row === null || pointed.row.number > traversalNumber;
  return { replacement: isFenced ? "fenced" : "moved" };
};

/** Of a row that this traversal minted there is no cleanup node, so it goes as soon as its provider wants another in its place. */
const goneIfNeverMade = (ports: Ports, { action, physicalResourceId }: Resource) =>
  action === "INIT" && physicalResourceId === null
    ? { action: "DELETE" as const, expiresAt: ports.clock.now() + TOMBSTONE_MS }
    : {};

/**
 * Once, though a redelivered visit of the old row does it again: a newer traversal may have put a tombstone
 * there, and that stands. But one of an older traversal's late prepare, which saw whither the old row
 * points, must not keep the replacement from being born.
 */
export const bearReplacement = async (
  ports: Ports,
  visit: Visit,
  old: Resource,
): Promise<NodeKey> => {
  const id = replacementId(ports, visit.message.traversalId, old.id);
  const insert = { ...newRow(ports, visit, id), replaces: old.id };
  const { stackId, id: _, ...set } = insert;
  const { traversalNumber } = visit.index.graph;
  const isUnborn = [{ clause: "numberBelow", number: traversalNumber }] as const;
  await ports.store.writeResource({ stackId, id }, isUnborn, { set, insert });
  return { resourceId: id, isUpdate: true };
};

/** The graph's node that a row acts for: the first of itself, what it replaces, what that replaces, that the graph names. */
export const graphPosition = async (
  ports: Ports,
  index: IndexedGraph,
  key: NodeKey,
  row: Resource | null,
): Promise<number | undefined> => {
  let at = index.positionOf(key);
  let replaced = row?.replaces ?? null;
  while (at === undefined && replaced !== null && key.isUpdate) {
    at = index.positionOf({ resourceId: replaced, isUpdate: true });
    if (at !== undefined) break;
    const ancestor = await ports.store.getResource({ stackId: index.graph.stackId, id: replaced });
    replaced = ancestor?.replaces ?? null;
  }
  return at;
};

/** The row at the end of the chain of replacements that this traversal made of a row. */
export const inService = async (
  ports: Ports,
  traversalId: string,
  row: Resource | null,
): Promise<Resource | null> => {
  let last = row;
  while (last !== null && last.replacedBy === replacementId(ports, traversalId, last.id)) {
    const next = await ports.store.getResource({ stackId: last.stackId, id: last.replacedBy });
    if (next === null) return last;
    last = next;
  }
  return last;
};
