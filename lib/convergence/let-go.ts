/**
 * A row without a node may require, by depends_on, a row that a cleanup will delete (P24). First it
 * lets go: it requires the row in service instead, so no row loses what it needs.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { freeFor } from "./claim.ts";
import { inParallel } from "./in-parallel.ts";
import { inService } from "./replacement.ts";
import type { Visit } from "./visit.ts";

export type LetGo = "let go" | "fenced" | "moved";

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
