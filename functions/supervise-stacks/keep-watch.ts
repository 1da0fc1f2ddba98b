import { logger } from "#functions/logger.ts";
import type { Meter } from "#functions/meter.ts";
import type { Starter } from "./supervisor.ts";
import type { TraversalEnd, WatchChange } from "./watch-change.ts";

/** @returns a function that records the end. Call it once for each change */
export const keepWatch = async (
  supervisor: Starter,
  meter: Meter,
  change: WatchChange | null,
): Promise<() => void> => {
  if (change?.end) await endWatch(supervisor, change.end);
  if (change?.start) await supervisor.start(change.start);
  return () => {
    if (!change?.end) return;
    logger.info("a stack operation ended", { ...change.end });
    meter.add("TraversalSeconds", change.end.seconds, change.end.outcome);
  };
};

const endWatch = async (supervisor: Starter, end: TraversalEnd): Promise<void> => {
  const token = await supervisor.getToken(end.traversalId);
  if (token !== null) await supervisor.end(token, end.outcome);
};
