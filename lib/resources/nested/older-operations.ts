/**
 * Operations that an earlier traversal of a stack has begun and that still run. In a group these
 * are operations on members. DELETEs are left out, because nothing waits for a member that goes.
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
 * A poll has no result, so the count of `signals` is unchanged. A row with a lease is skipped: its
 * worker is active, or its first poll comes soon (P26).
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
 * Polls all of them now, so that those which wait for the outside end as overtaken.
 * @returns "some" when at least one operation still runs. A waiting barrier then asks again.
 */
export const pollOlderOperations = async (
  engine: Ports,
  { tenant, stackId }: Pick<ProviderCall, "tenant" | "stackId">,
): Promise<"some" | "none"> => {
  const stack = await engine.store.getStack(tenant, stackId);
  // Barriers are skipped: no member waits for them, and their pause ends by itself.
  const older = await rowsWhere(
    engine,
    stackId,
    ({ type, operation }) =>
      operation !== null &&
      operation.action !== "DELETE" &&
      type !== BARRIER_TYPE &&
      operation.traversalId !== stack?.traversalId,
  );
  // One after another would take minutes in the largest groups.
  await inParallel(older.map((row) => () => pollNow(engine, row)));
  return older.length > 0 ? "some" : "none";
};
