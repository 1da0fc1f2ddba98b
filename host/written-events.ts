/**
 * A client that has seen a change finds its event too. So a list of events waits until the feed has
 * written those of all changes before it.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Changes } from "#lib/adapters/sqlite/changes.ts";

const LOOK_MS = 5;
/** The feed may be behind, or fail. Then the list has what is there. */
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
