/**
 * P3.3: a visit that finds its row busy. One visit waits for a row: it re-sends itself with a delay,
 * the others are acknowledged, because self-sent chains never merge.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { WAIT_MS_MAX, WAIT_MS_MIN } from "./limits.ts";
import type { Visit } from "./visit.ts";

/** Long for what just began, so that a lease of 90 s costs a handful of messages. */
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
      // Overtaken since it read the stack, it would keep the new traversal's visit from waiting, and then not come back.
      { clause: "numberAtMost", number: visit.index.graph.traversalNumber },
    ],
    { set: { waitUntil: now + delayMs } },
  );
  if (won.written) await ports.queue.send("check", [visit.message], delayMs);
};
