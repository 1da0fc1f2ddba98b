/**
 * P26: a worker keeps the lease during a short first wait, and writes nothing. The message of the
 * poll carries the lease's token and what the provider has answered, so its visit goes on as that
 * worker would have. A lost message is like a worker that died in its call: the lease ends, and the
 * call is made again with its token. A message that comes twice makes two workers under one lease:
 * both only look, and the first write ends the lease for the other.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { CheckResourceMessage, KeptLease } from "#lib/ports/queue.ts";
import type { Progress, ResourceType } from "#lib/ports/resource-type.ts";
import { mayKeepLease } from "#lib/stack/type-predicates.ts";
import { KEPT_CHARS_MAX, KEPT_WAIT_MS_MAX } from "./limits.ts";

export type WaitingProgress = Extract<Progress, { state: "waiting" }>;

/** Null: the answer is written to the row, and the lease is given back. */
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

/** The row as the holder of its lease knows it. Null: the message is not from the holder. */
export const asHolder = (row: Resource, { kept }: CheckResourceMessage): Resource | null => {
  const { operation, lease } = row;
  if (kept === undefined || operation === null || lease?.token !== kept.token) return null;
  const { handle, physicalResourceId } = kept;
  return { ...row, physicalResourceId, operation: { ...operation, handle } };
};
