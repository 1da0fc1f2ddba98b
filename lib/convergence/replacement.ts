/** How a row gets a replacement (P9), and which node a replacement acts for (P5). */
import type { NodeKey } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceKey } from "#lib/ports/store.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { freeFor, newRow } from "./claim.ts";
import type { IndexedGraph } from "./graph/indexed-graph.ts";
import { inParallel } from "./in-parallel.ts";
import { TOMBSTONE_MS } from "./limits.ts";
import { replacementId, type Visit } from "./visit.ts";

type MadeReplacement =
  | { readonly kind: "made"; readonly node: NodeKey }
  | { readonly kind: "fenced" }
  | { readonly kind: "moved" };

/**
 * The old row is pointed at its replacement first, so a crash never leaves a new row that no row
 * points at. A newer traversal that stamps the old row sees which row may still be inserted. The
 * old row must be as read: not fenced, not busy and not replaced.
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

/** A row that this traversal minted has no cleanup node, so it ends here if it is replaced. */
const endIfNeverCreated = (ports: Ports, { action, physicalResourceId }: Resource) =>
  action === "INIT" && physicalResourceId === null
    ? { action: "DELETE" as const, expiresAt: ports.clock.now() + TOMBSTONE_MS }
    : {};

/**
 * Changes nothing if the new row exists or has a tombstone of a newer traversal. A tombstone that a
 * late prepare of an older traversal has left is replaced.
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

/** Follows `replaces` from the row to the first row that the graph names. */
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

type LetGo = "let go" | "fenced" | "moved";

/**
 * A row without a node may require, by depends_on, a row that a cleanup will delete (P24). First it
 * lets go: it requires the row in service instead, so no row loses what it needs.
 */
export const letGo = async (ports: Ports, visit: Visit, row: Resource): Promise<LetGo> => {
  const { heldBy = [] } = visit.node;
  if (heldBy.length === 0) return "let go";
  const serving = await inService(ports, visit.index.graph.traversalId, row);
  const successor = serving === null || serving.id === row.id ? null : serving.id;
  const ends = await inParallel(
    heldBy.map((id) => () => letOneGo(ports, visit, row, id, successor)),
  );
  return ends.find((end) => end !== "let go") ?? "let go";
};

const letOneGo = async (
  ports: Ports,
  { index }: Visit,
  { id: held, stackId }: Resource,
  id: string,
  successor: string | null,
): Promise<LetGo> => {
  const { traversalNumber } = index.graph;
  const holder = await ports.store.getResource({ stackId, id });
  if (holder === null || !isExtant(holder) || !holder.requires.includes(held)) return "let go";
  const others = holder.requires.filter((one) => one !== held && one !== successor);
  const write = await ports.store.writeResource(
    { stackId, id },
    // Two cleanups may change one holder, so it must be as read.
    freeFor(ports, { index }, holder),
    { set: { requires: successor === null ? others : [...others, successor] } },
  );
  if (write.written) return "let go";
  const isFenced = write.row !== null && write.row.number > traversalNumber;
  return isFenced ? "fenced" : "moved";
};
