import type { WatchedQueue } from "#lib/adapters/aws/queue.ts";
import type { QueueHolds } from "#lib/ports/queue.ts";
import type { EnvironmentOf } from "./environment.ts";

export const watchedQueues = (environment: EnvironmentOf<"api">): readonly WatchedQueue[] => {
  // The URLs of all queues of an account and region differ only in the last segment.
  const watched = (queue: string, holds: QueueHolds, name: string): WatchedQueue => ({
    queue,
    holds,
    url: new URL(name, environment.PREPARE_QUEUE_URL).href,
  });
  return [
    watched("prepare-dead-letter", "dead-letters", environment.PREPARE_DEAD_LETTER_QUEUE),
    watched("check-dead-letter", "dead-letters", environment.CHECK_DEAD_LETTER_QUEUE),
    watched("poll-dead-letter", "dead-letters", environment.POLL_DEAD_LETTER_QUEUE),
    watched("given-up", "given-up", environment.GIVEN_UP_QUEUE),
    watched("stream-failures", "stream-failures", environment.STREAM_FAILURES_QUEUE),
  ];
};
