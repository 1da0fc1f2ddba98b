/** The rows of a large stack are spread over many partitions (lib/model/row-partitions.ts). */
import type { ConvergenceGraph, NodeKey } from "#lib/model/graph.ts";
import { isSpreadId, spreadId } from "#lib/model/row-partitions.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Store } from "#lib/ports/store.ts";
import { ROWS_TOGETHER_MAX, TOMBSTONE_MS } from "../limits.ts";
import type { IndexedGraph } from "./indexed-graph.ts";

/** The ids of the rows that a traversal mints. Every prepare derives the same ones. */
export const mintedIds = (
  { ids }: Pick<Ports, "ids">,
  { traversalId }: Stack,
  names: number,
): ((name: string) => string) => {
  const mark = names > ROWS_TOGETHER_MAX ? spreadId : (id: string): string => id;
  return (name) => mark(ids.derive("row", traversalId, name));
};

/** A replacement of a row that is spread is spread too. */
export const likeRow = (rowId: string, id: string): string =>
  isSpreadId(rowId) ? spreadId(id) : id;

interface MarkedStore {
  readonly store: Pick<Store, "spreadRows">;
}

const hasSpreadRows = ({ nodes }: { readonly nodes: readonly NodeKey[] }): boolean =>
  nodes.some(({ resourceId }) => isSpreadId(resourceId));

/** Called before the graph is stored, because from then on its visits may insert such rows. */
export const announceSpreadRows = async (
  { store }: MarkedStore,
  graph: ConvergenceGraph,
): Promise<void> => {
  if (hasSpreadRows(graph)) await store.spreadRows(graph.stackId, null);
};

/** After a DELETE only tombstones are left, and the last of them expires before this mark (P10). */
export const letSpreadRowsExpire = async (
  { store, clock }: MarkedStore & Pick<Ports, "clock">,
  { graph, walk }: IndexedGraph,
): Promise<void> => {
  for await (const nodes of walk()) {
    if (!hasSpreadRows({ nodes })) continue;
    await store.spreadRows(graph.stackId, clock.now() + 2 * TOMBSTONE_MS);
    return;
  }
};
