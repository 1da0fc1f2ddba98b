/**
 * Retires a deleted stack: its name and documents are deleted, and its events get the expiry of its
 * record. Each step can be repeated, and the record's own expiry comes last. So a crash leaves a
 * stack that is not settled, and the sweeper retires it again. Rows and SyncPoints keep their
 * expiry (P10).
 */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { TOMBSTONE_MS } from "#lib/convergence/limits.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { STACKS_READ_MAX } from "#lib/ports/store.ts";
import { deleteDocument } from "#lib/stack/record/template-record.ts";
import { documentPrefixes } from "#lib/stack/stored-places.ts";
import { isDeleted, isExpired } from "./find-stack.ts";

export type RetiringPorts = Pick<Ports, "store" | "blobs" | "clock" | "retention">;

/** A record of an older version may lack `deletedAt`. */
const deletedAtOf = (stack: Stack): number => stack.deletedAt ?? stack.endedAt ?? stack.createdAt;

/**
 * P13: the record of a deleted nested stack refuses an older create of its owner, as a tombstone
 * does. So it stays as long as a tombstone (P10).
 */
const neededUntil = (stack: Stack): number =>
  stack.owner === null ? 0 : deletedAtOf(stack) + TOMBSTONE_MS;

/**
 * After `expiresAt` the stack may no longer be seen. A stack that is not deleted is left alone.
 * @returns whether the record's expiry was set
 */
export const retireStack = async (
  ports: RetiringPorts,
  stack: Stack,
  expiresAt: number = deletedAtOf(stack) + ports.retention.deletedStackMs,
): Promise<boolean> => {
  if (!isDeleted(stack)) return false;
  const { tenant, id, name, statusVersion } = stack;
  const until = Math.max(expiresAt, neededUntil(stack));
  await ports.store.expireEvents(id, expiresAt, 0);
  if (stack.expiresAt !== null && stack.expiresAt <= until) return false;
  if (stack.expiresAt === null) {
    await ports.store.deleteStackName(tenant, name, id);
    await deleteDocuments(ports, id);
  }
  const clauses = [{ clause: "statusVersionIs", statusVersion }] as const;
  const set = { settled: true, expiresAt: until };
  return (await ports.store.writeStack(tenant, id, clauses, set)).written;
};

/** A deleted stack's target is empty, so only a repeated visit may still read a document. */
const deleteDocuments = async (ports: RetiringPorts, stackId: string): Promise<void> => {
  const { blobs } = ports;
  for (const prefix of documentPrefixes(stackId)) {
    for (let keys = await blobs.list(prefix); keys.length > 0; keys = await blobs.list(prefix))
      await inParallel(keys.map((key) => () => deleteDocument(ports, key)));
  }
};

interface PurgeRequest {
  readonly olderThanMs: number;
  readonly marker: string | null;
}

interface PurgedPart {
  readonly purged: readonly Stack[];
  readonly nextMarker: string | null;
}

/**
 * Heat's `heat-manage purge_deleted`, for one project: ends the retention of deleted stacks now. It
 * works in parts, because a project may have more deleted stacks than a request has time for.
 */
export const purgeDeleted = async (
  ports: Ports,
  tenant: string,
  { olderThanMs, marker }: PurgeRequest,
): Promise<PurgedPart> => {
  const now = ports.clock.now();
  const part = await ports.store.listStacksById(tenant, marker, STACKS_READ_MAX);
  const due = part.filter(
    (stack) =>
      isDeleted(stack) && !isExpired(stack, now) && deletedAtOf(stack) <= now - olderThanMs,
  );
  const purged = await inParallel(
    due.map((stack) => async () => ((await retireStack(ports, stack, now)) ? [stack] : [])),
  );
  const last = part.length < STACKS_READ_MAX ? undefined : part.at(-1);
  return { purged: purged.flat(), nextMarker: last?.id ?? null };
};
