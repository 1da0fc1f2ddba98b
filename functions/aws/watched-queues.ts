/** Queues that the engine never sends to, as the health route shows them. */
import type { WatchedQueue } from "#lib/adapters/aws/queue.ts";
import type { EnvironmentOf } from "./environment.ts";

export const watchedQueues = (environment: EnvironmentOf<"api">): readonly WatchedQueue[] => [
  {
    queue: "prepare-dead-letter",
    holds: "dead-letters",
    url: environment.PREPARE_DEAD_LETTER_QUEUE_URL,
  },
  {
    queue: "check-dead-letter",
    holds: "dead-letters",
    url: environment.CHECK_DEAD_LETTER_QUEUE_URL,
  },
  {
    queue: "poll-dead-letter",
    holds: "dead-letters",
    url: environment.POLL_DEAD_LETTER_QUEUE_URL,
  },
  { queue: "given-up", holds: "given-up", url: environment.GIVEN_UP_QUEUE_URL },
  {
    queue: "stream-failures",
    holds: "stream-failures",
    url: environment.STREAM_FAILURES_QUEUE_URL,
  },
];
