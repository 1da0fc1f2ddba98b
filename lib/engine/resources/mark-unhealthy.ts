import { asRead } from "#lib/convergence/claim.ts";
import { shortReason } from "#lib/convergence/complete.ts";
import { isUnfit } from "#lib/convergence/decide.ts";
import { actionInProgress } from "#lib/errors.ts";
import { healthOf, type Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceFields } from "#lib/ports/store.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import { standingRow } from "#lib/stack/standing-rows.ts";
import { WRITE_ATTEMPTS_MAX } from "../stacks/accept.ts";
import { findLivingStack, type StackIdentity } from "../stacks/find-stack.ts";
import { resourceNotFound } from "./resource-view.ts";

const DEFAULT_REASON = "state changed by resource_mark_unhealthy api";

export interface HealthMark {
  readonly unhealthy: boolean;
  readonly reason: string;
}

/**
 * Only a resource that failed its check or was marked can become healthy. A failed create or update
 * keeps its own action: as CHECK FAILED it could be marked healthy, and the next update would leave
 * it as it is.
 * @returns null if nothing changes
 */
const changeFor = (row: Resource, mark: HealthMark): Partial<ResourceFields> | null => {
  // P18: the row's reason tells the user what to answer, and an update waits for that.
  if (row.outcomeUnknown) return null;
  const statusReason = shortReason(mark.reason || DEFAULT_REASON);
  if (mark.unhealthy) {
    if (row.action === "DELETE" || row.action === "INIT") return null;
    const health = { state: "beyond repair" as const, what: statusReason, seenBy: null };
    return isUnfit(row)
      ? { statusReason }
      : { action: "CHECK", status: "FAILED", statusReason, health };
  }
  return !isUnfit(row) && healthOf(row).state !== "as made"
    ? { action: "CHECK", status: "COMPLETE", statusReason, checkFailed: false, health: null }
    : null;
};

const rowOfObject = async (ports: Ports, stack: Stack, id: string): Promise<Resource | null> => {
  const holders = await rowsWhere(ports, stack.id, (row) => row.physicalResourceId === id);
  for (const { name } of holders) {
    const row = await standingRow(ports, stack, name);
    if (row?.physicalResourceId === id) return row;
  }
  return null;
};

/**
 * A group at rest shows the attributes that its last operation stored. A mark on a member changes
 * which members serve, so readers must look at the members until the next operation (`isAsStored`).
 */
const readersLook = async (ports: Ports, stack: Stack): Promise<boolean> => {
  if (stack.owner === null || stack.visitsAll) return true;
  const { tenant, id, statusVersion } = stack;
  const asRead = [{ clause: "statusVersionIs", statusVersion }] as const;
  return (await ports.store.writeStack(tenant, id, asRead, { visitsAll: true })).written;
};

export const markUnhealthy = async (
  ports: Ports,
  identity: StackIdentity,
  nameOrId: string,
  mark: HealthMark,
): Promise<void> => {
  for (let attempts = 0; attempts < WRITE_ATTEMPTS_MAX; attempts += 1) {
    const stack = await findLivingStack(ports, identity);
    const row =
      (await standingRow(ports, stack, nameOrId)) ?? (await rowOfObject(ports, stack, nameOrId));
    if (row === null) throw resourceNotFound(nameOrId, stack);
    // A running traversal may already have counted this row as healthy.
    if (stack.status === "IN_PROGRESS" || row.operation !== null) {
      throw actionInProgress(stack.name, stack.action);
    }
    const change = changeFor(row, mark);
    if (change === null) return;
    if (!(await readersLook(ports, stack))) continue;
    const set = { ...change, updatedAt: ports.clock.now() };
    const write = await ports.store.writeResource(row, [asRead(row)], { set });
    if (write.written) return;
  }
  throw actionInProgress(identity.name, "CHECK");
};
