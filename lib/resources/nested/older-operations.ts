/**
 * Operations that an overtaken or cancelled change of a stack has begun, and that still run: in a
 * group those on its members. What goes serves no more, so nobody waits for its DELETE.
 */
import { isHeld } from "#lib/convergence/claim.ts";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { visitOfOwner } from "#lib/convergence/messages.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";

/**
 * Unlike a signal it has no result, so `signals` stays. A held row has its worker, or a poll that
 * comes soon (P26).
 */
const pollNow = async (engine: Ports, row: Resource): Promise<void> => {
  const { stackId, id, operation } = row;
  if (operation === null || isHeld(row, engine.clock.now())) return;
  const write = await engine.store.writeResource(
    { stackId, id },
    [{ clause: "operationGenerationIs", generation: operation.generation }],
    { set: { nextPollAt: engine.clock.now() } },
  );
  if (write.written) await engine.queue.send("poll", [visitOfOwner(write.row, operation)]);
};

/**
 * Has each of them polled at once. One that waits for the outside then ends as overtaken. A barrier
 * that waits for them asks again.
 */
export const pollOlderOperations = async (
  engine: Ports,
  { tenant, stackId }: Pick<ProviderCall, "tenant" | "stackId">,
): Promise<"some" | "none"> => {
  const stack = await engine.store.getStack(tenant, stackId);
  // A pause holds no member up, and ends by itself.
  const older = await rowsWhere(
    engine,
    stackId,
    ({ type, operation }) =>
      operation !== null &&
      operation.action !== "DELETE" &&
      type !== BARRIER_TYPE &&
      operation.traversalId !== stack?.traversalId,
  );
  // One at a time would take minutes for the largest groups.
  await inParallel(older.map((row) => () => pollNow(engine, row)));
  return older.length > 0 ? "some" : "none";
};
