/**
 * P9: how a row gets a replacement. P5: which node a replacement acts for. All visits of a
 * traversal work from the same graph, so a replacement impersonates the row that the graph names.
 */
import type { NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceKey } from "#lib/ports/store.ts";
import { freeFor, newRow } from "./claim.ts";
import type { IndexedGraph } from "./indexed-graph.ts";
import { TOMBSTONE_MS } from "./limits.ts";
import { replacementId, type Visit } from "./visit.ts";

export type MadeReplacement =
  | { readonly kind: "made"; readonly node: NodeKey }
  /** A newer traversal has stamped or claimed the old row. */
  | { readonly kind: "fenced" }
  /** Another writer changed the old row in between: read it again. */
  | { readonly kind: "moved" };

/**
 * Points the old row at its replacement and then inserts the new row. The old row must be as read:
 * not fenced, not busy, not replaced. In this order a crash never leaves a new row that no row
 * points at. A newer traversal that stamps the old row sees which row may still be inserted.
 */
export const makeReplacement = async (
  ports: Ports,
  visit: Visit,
  old: Resource,
): Promise<MadeReplacement> => {
  const id = replacementId(ports, visit.message.traversalId, old.id);
  const { traversalNumber } = visit.index.graph;
  const pointed = await ports.store.writeResource(
    { stackId: old.stackId, id: old.id },
    freeFor(ports, visit, old),
    {
      set: {
        number: traversalNumber,
        replacedBy: id,
        waitUntil: null,
        ...endIfNeverCreated(ports, old),
      },
    },
  );
  if (pointed.written || pointed.row?.replacedBy === id) {
    return { kind: "made", node: await insertReplacement(ports, visit, old) };
  }
  const isFenced = pointed.row === null || pointed.row.number > traversalNumber;
  return { kind: isFenced ? "fenced" : "moved" };
};

/**
 * A row that this traversal minted has no cleanup node. So it ends here, when its provider asks for
 * a replacement.
 */
const endIfNeverCreated = (ports: Ports, { action, physicalResourceId }: Resource) =>
  action === "INIT" && physicalResourceId === null
    ? { action: "DELETE" as const, expiresAt: ports.clock.now() + TOMBSTONE_MS }
    : {};

/**
 * Inserts the new row if there is none. A redelivered visit of the old row may repeat this. The
 * tombstone of a newer traversal stays. But the tombstone that a late prepare of an older traversal
 * has left must not block the insert.
 */
export const insertReplacement = async (
  ports: Ports,
  visit: Visit,
  old: Resource,
): Promise<NodeKey> => {
  const id = replacementId(ports, visit.message.traversalId, old.id);
  const insert = { ...newRow(ports, visit, id), replaces: old.id };
  const { stackId, id: _, ...set } = insert;
  const { traversalNumber } = visit.index.graph;
  const isAbsentOrOlder = [{ clause: "numberBelow", number: traversalNumber }] as const;
  await ports.store.writeResource({ stackId, id }, isAbsentOrOlder, { set, insert });
  return { resourceId: id, isUpdate: true };
};

/**
 * The position of the node that a row acts for. From the row, follow `replaces` to the first row
 * that the graph names.
 */
export const graphPosition = async (
  ports: Ports,
  index: IndexedGraph,
  key: NodeKey,
  row: Resource | null,
): Promise<number | undefined> => {
  let at = await index.positionOf(key);
  let replaced = row?.replaces ?? null;
  while (at === undefined && replaced !== null && key.isUpdate) {
    at = await index.positionOf({ resourceId: replaced, isUpdate: true });
    if (at !== undefined) break;
    const ancestor = await ports.store.getResource({ stackId: index.graph.stackId, id: replaced });
    replaced = ancestor?.replaces ?? null;
  }
  return at;
};

/** One row at a time from the store, or from a list that was read before. */
export interface RowSource<Row> extends Pick<Ports, "ids"> {
  readonly store: { getResource(key: ResourceKey): Promise<Row | null> };
}

/** The row at the end of the chain of replacements that this traversal has made for a row. */
export const inService = async <Row extends Pick<Resource, "stackId" | "id" | "replacedBy">>(
  ports: RowSource<Row>,
  traversalId: string,
  row: Row | null,
): Promise<Row | null> => {
  let last = row;
  while (last !== null && last.replacedBy === replacementId(ports, traversalId, last.id)) {
    const next = await ports.store.getResource({ stackId: last.stackId, id: last.replacedBy });
    if (next === null) return last;
    last = next;
  }
  return last;
};
