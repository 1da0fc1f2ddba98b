import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { actionInProgress, notSupported, RequestError, requestLimitExceeded } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { Status } from "#lib/model/action.ts";
import type { Stack, StackSnapshot } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { deleteSnapshot as deleteData, loadSnapshot } from "#lib/stack/stack-document.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { hiddenParameterNames } from "#lib/template/parameters/parameters.ts";
import { parseStored } from "#lib/template/parse/parse.ts";
import { redactMembers } from "#lib/template/secrets.ts";
import { acceptOrRefuse, WRITE_ATTEMPTS_MAX } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { refuseUnlessAtRest } from "./stack-actions.ts";

/**
 * Heat's max_snapshots_per_stack.
 * @limit snapshots of a stack
 * @beyond 400 `RequestLimitExceeded`
 */
const SNAPSHOTS_MAX = 32;

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

/** `data` is Heat's document of the stack without secrets; null until the snapshot is complete. */
export interface SnapshotView extends StackSnapshot {
  readonly status: Status;
  readonly statusReason: string;
  readonly data: JsonObject | null;
}

export const findSnapshot = (stack: Stack, id: string): StackSnapshot => {
  const found = (stack.snapshots ?? []).find((snapshot) => snapshot.id === id);
  if (found) return found;
  const message = `The Snapshot (${id}) for Stack (${stack.name}) could not be found.`;
  throw new RequestError("SnapshotNotFound", 404, message);
};

/** A snapshot with data is complete. Without data, its traversal's state decides. */
export const stateOf = (
  stack: Stack,
  { id }: StackSnapshot,
  data: JsonObject | null,
): Pick<SnapshotView, "status" | "statusReason"> => {
  const isCurrent = stack.traversalId === id;
  if (data !== null && !(isCurrent && stack.status === "IN_PROGRESS")) {
    return { status: "COMPLETE", statusReason: "Stack SNAPSHOT completed successfully" };
  }
  // A deletion that a crash interrupted has removed the data of a complete snapshot.
  if (!isCurrent || stack.status === "COMPLETE")
    return { status: "FAILED", statusReason: "Stack SNAPSHOT did not complete" };
  return { status: stack.status, statusReason: stack.statusReason };
};

/** Hidden parameters and attributes must not leave the store. */
const redactData = async (ports: Ports, data: JsonObject): Promise<JsonObject> => {
  const hidden = hiddenParameterNames(parseStored(sectionOf(data, "template")));
  const environment = sectionOf(data, "environment");
  const sections = ["parameters", "parameter_defaults"].map((key): [string, Json] => [
    key,
    redactMembers(sectionOf(environment, key), (name) => hidden.has(name)),
  ]);
  const redacted = Object.entries(sectionOf(data, "resources")).map(
    async ([name, resource]): Promise<[string, Json]> => {
      if (!isJsonObject(resource)) return [name, resource];
      const type = await ports.resourceTypes.get(String(resource["type"]));
      const attributes = type?.schema.attributes ?? {};
      const isSecret = (key: string) => attributes !== "any" && attributes[key]?.hidden === true;
      const data = redactMembers(sectionOf(resource, "resource_data"), isSecret);
      return [name, mergedMaps(resource, { resource_data: data })];
    },
  );
  return mergedMaps(data, {
    environment: mergedMaps(environment, mapOf(sections)),
    resources: mapOf(await Promise.all(redacted)),
  });
};

const viewSnapshot = async (
  ports: Ports,
  stack: Stack,
  snapshot: StackSnapshot,
): Promise<SnapshotView> => {
  const data = await loadSnapshot(ports, stack, snapshot.id);
  const shown = data === null ? null : await redactData(ports, data);
  return { ...snapshot, ...stateOf(stack, snapshot, data), data: shown };
};
