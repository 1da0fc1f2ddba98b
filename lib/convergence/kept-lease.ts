/**
 * A kept lease (P26): during a short first wait the worker writes nothing. The poll's message
 * carries the lease's token and the provider's answer, so its visit goes on as that worker would
 * have. If the message is lost, the lease ends, and the call is made again with its token. If it
 * comes twice, both workers only look, and the first write ends the lease for the other.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { CheckResourceMessage, KeptLease } from "#lib/ports/queue.ts";
import type { Progress, ResourceType } from "#lib/ports/resource-type.ts";
import { mayKeepLease } from "#lib/stack/type-predicates.ts";
import { KEPT_CHARS_MAX, KEPT_WAIT_MS_MAX } from "./limits.ts";

export type WaitingProgress = Extract<Progress, { state: "waiting" }>;

/** @returns null when the answer must be written to the row, and the lease given back. */
export const leaseToKeep = (
  type: ResourceType,
  { lease }: Resource,
  { handle, physicalResourceId, pollAfterMs }: WaitingProgress,
): KeptLease | null =>
  lease !== null &&
  mayKeepLease(type) &&
  pollAfterMs <= KEPT_WAIT_MS_MAX &&
  handle.length + physicalResourceId.length <= KEPT_CHARS_MAX
    ? { token: lease.token, handle, physicalResourceId }
    : null;

/** @returns the row as its holder knows it, or null when the message is not the holder's. */
export const asHolder = (row: Resource, { kept }: CheckResourceMessage): Resource | null => {
  const { operation, lease } = row;
  if (kept === undefined || operation === null || lease?.token !== kept.token) return null;
  const { handle, physicalResourceId } = kept;
  return { ...row, physicalResourceId, operation: { ...operation, handle } };
};
