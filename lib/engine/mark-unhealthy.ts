/** The verb mark unhealthy: a user who knows better than the last check. What is marked is replaced by the next update. */
import { asRead } from "#lib/convergence/claim.ts";
import { shortReason } from "#lib/convergence/complete.ts";
import { isUnfit } from "#lib/convergence/decide.ts";
import { actionInProgress } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceFields } from "#lib/ports/store.ts";
import { bestResources } from "#lib/stack/best-resource.ts";
import { WRITE_ATTEMPTS_MAX } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { resourceNotFound } from "./resource-view.ts";

const DEFAULT_REASON = "state changed by resource_mark_unhealthy api";

export interface HealthMark {
  readonly unhealthy: boolean;
  /** Empty: the default reason. */
  readonly reason: string;
}

/**
 * Null: there is nothing to change. Only what is marked unhealthy, or failed its check, is healthy by decree. What never came
 * to be, or failed to change, is unhealthy as it is: marked as one that failed its check it could be declared healthy, or
 * checked, and the next update would find nothing to do.
 */
const changeFor = (row: Resource, mark: HealthMark): Partial<ResourceFields> | null => {
  const statusReason = shortReason(mark.reason || DEFAULT_REASON);
  if (mark.unhealthy) {
    const isThere = row.action !== "DELETE" && row.action !== "INIT";
    if (!isThere) return null;
    return isUnfit(row) ? { statusReason } : { action: "CHECK", status: "FAILED", statusReason };
  }
  return row.action === "CHECK" && row.status === "FAILED"
    ? { status: "COMPLETE", statusReason, checkFailed: false }
    : null;
};

/** `nameOrId` may be a physical id. 404 for neither, 409 while the stack or the resource is at work. */
export const markUnhealthy = async (
  ports: Ports,
  identity: StackIdentity,
  nameOrId: string,
  mark: HealthMark,
): Promise<void> => {
  for (let attempts = 0; attempts < WRITE_ATTEMPTS_MAX; attempts += 1) {
    const stack = await findLivingStack(ports, identity);
    const rows = bestResources(await ports.store.listResources(stack.id), stack.templateId);
    const row =
      rows.get(nameOrId) ?? [...rows.values()].find((one) => one.physicalResourceId === nameOrId);
    if (!row) throw resourceNotFound(nameOrId, stack);
    // Under a traversal a healthy row may have been counted already.
    if (stack.status === "IN_PROGRESS" || row.operation !== null) {
      throw actionInProgress(stack.name, stack.action);
    }
    const change = changeFor(row, mark);
    if (change === null) return;
    const set = { ...change, updatedAt: ports.clock.now() };
    const write = await ports.store.writeResource(row, [asRead(row)], { set });
    if (write.written) return;
  }
  throw actionInProgress(identity.name, "CHECK");
};
