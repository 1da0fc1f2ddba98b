import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { actionInProgress, notSupported, requestLimitExceeded } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { deleteSnapshot as deleteData } from "#lib/stack/stack-document.ts";
import { acceptOrRefuse, WRITE_ATTEMPTS_MAX } from "./accept.ts";
import { refuseUnlessAtRest } from "./act-on-stack.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { findSnapshot, type SnapshotView, viewSnapshot } from "./snapshot-view.ts";

/**
 * Heat's max_snapshots_per_stack.
 * @limit snapshots of a stack
 * @beyond 400 `RequestLimitExceeded`
 */
export const SNAPSHOTS_MAX = 32;

export const createSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  name: string | null,
): Promise<SnapshotView> => {
  const stack = await findLivingStack(ports, identity);
  const accepted = await acceptOrRefuse(ports, stack, (now) => {
    refuseUnlessAtRest(now, "SNAPSHOT");
    if ((now.snapshots ?? []).length >= SNAPSHOTS_MAX) {
      throw requestLimitExceeded(
        `You have reached the maximum snapshots per stack, ${SNAPSHOTS_MAX}. Please delete some snapshots.`,
      );
    }
    const { templateId } = now;
    return acceptTraversal(ports, now, {
      action: "SNAPSHOT",
      askedBy: identity.askedBy,
      templateId,
      snapshotName: name,
    });
  });
  return viewSnapshot(ports, accepted, findSnapshot(accepted, accepted.traversalId));
};

export const listSnapshots = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<readonly SnapshotView[]> => {
  const stack = await findLivingStack(ports, identity);
  return Promise.all((stack.snapshots ?? []).map((one) => viewSnapshot(ports, stack, one)));
};

export const showSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  id: string,
): Promise<SnapshotView> => {
  const stack = await findLivingStack(ports, identity);
  return viewSnapshot(ports, stack, findSnapshot(stack, id));
};

/**
 * Throws 404, and 400 while in progress. The data is deleted first, so a retry still finds the
 * entry.
 */
export const deleteSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  id: string,
): Promise<void> => {
  for (let attempts = 0; attempts < WRITE_ATTEMPTS_MAX; attempts += 1) {
    const stack = await findLivingStack(ports, identity);
    findSnapshot(stack, id);
    if (stack.traversalId === id && stack.status === "IN_PROGRESS") {
      throw notSupported("Deleting in-progress snapshot");
    }
    await deleteData(ports, stack, id);
    const write = await ports.store.writeStack(
      stack.tenant,
      stack.id,
      [{ clause: "statusVersionIs", statusVersion: stack.statusVersion }],
      { snapshots: (stack.snapshots ?? []).filter((snapshot) => snapshot.id !== id) },
    );
    if (write.written) return;
  }
  throw actionInProgress(identity.name, "SNAPSHOT");
};
