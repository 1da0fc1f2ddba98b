/**
 * Only one visit waits for a busy row (P3.3): it sends itself again with a delay. The messages of
 * the others are deleted, because chains of self-sent messages would never merge.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { WAIT_MS_MAX, WAIT_MS_MIN } from "./limits.ts";
import type { Visit } from "./visit.ts";

/** Waits until the row is due to be free, within bounds, so a lease of 90 s costs few messages. */
const delayFor = (row: Resource, now: number): number => {
  const freeAt = row.lease?.expiresAt ?? row.nextPollAt ?? now;
  return Math.min(Math.max(freeAt - now, WAIT_MS_MIN), WAIT_MS_MAX);
};

export const waitForRow = async (ports: Ports, visit: Visit, row: Resource): Promise<void> => {
  const now = ports.clock.now();
  const delayMs = delayFor(row, now);
  const won = await ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [
      { clause: "waitIsOver", now },
      // An overtaken visit must not wait in the place of the new traversal's visit.
      { clause: "numberAtMost", number: visit.index.graph.traversalNumber },
    ],
    { set: { waitUntil: now + delayMs } },
  );
  if (won.written) await ports.queue.send("check", [visit.message], delayMs);
};
