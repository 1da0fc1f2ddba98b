/**
 * A client that has seen a change must find its event too. So a list of events waits until the
 * change feed has written the events of all earlier changes.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Changes } from "#lib/adapters/sqlite/changes.ts";

const LOOK_MS = 5;
/** If the feed is behind or fails, the list is answered without the missing events. */
const WAIT_MS_MAX = 1_000;

const EVENTS = /^\/v1\/[^/]+\/stacks\/[^/]+(\/[^/]+)?(\/resources\/[^/]+)?\/events(\/[^/]*)?\/?$/;

export const listsEvents = (method: string, path: string): boolean =>
  method === "GET" && EVENTS.test(path);

export const eventsWritten = async (changes: Pick<Changes, "read" | "newest">): Promise<void> => {
  const newest = changes.newest();
  const until = performance.now() + WAIT_MS_MAX;
  const isBehind = (): boolean => {
    const [oldest] = changes.read(1);
    return newest !== null && oldest !== undefined && oldest.sequence <= newest;
  };
  while (isBehind() && performance.now() < until) await pause(LOOK_MS);
};
