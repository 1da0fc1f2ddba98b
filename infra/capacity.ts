/**
 * How much of the account's concurrency each consumer may have. Together they leave a quarter to
 * functions whose callers wait: the API with its authorizer, the streams, the sweeper. So the
 * visits of a large stack wait in their queues, and the API still answers.
 */
import type { FunctionName } from "#functions/aws/environment.ts";
import type { QueueName } from "#lib/ports/queue.ts";
import type { Settings } from "./settings.ts";

/** The quota of a new account. Every deployment succeeds with it. */
export const QUOTA_OF_NEW_ACCOUNT = 10;
/** The quota of most accounts. An emulator has none, so it is treated as one of these. */
export const USUAL_QUOTA = 1_000;
/** Lambda refuses a reservation that leaves fewer executions to the account's other functions. */
const UNRESERVED_MIN = 100;
export const AGENTS = 50;
const SOURCE_MIN = 2;
const SOURCE_MAX = 1_000;

interface Shares {
  readonly check: number;
  readonly poll: number;
  readonly prepare: number;
  readonly deadLetter: number;
  /** Reserved for agents' polls. Null means that polls share the account's executions. */
  readonly agents: number | null;
}

const PARTS = { check: 0.5, poll: 0.1, prepare: 0.05, deadLetter: 0.02 };

const shareOf = (quota: number, part: number): number =>
  quota < UNRESERVED_MIN ? SOURCE_MIN : Math.min(SOURCE_MAX, Math.floor(quota * part));

export const reservable = (quota: number): number => Math.max(0, quota - UNRESERVED_MIN);

export const sharesOf = ({ lambdaConcurrency, agentConcurrency, emulator }: Settings): Shares => {
  const quota = lambdaConcurrency ?? (emulator ? USUAL_QUOTA : QUOTA_OF_NEW_ACCOUNT);
  const agents = quota < USUAL_QUOTA ? null : AGENTS;
  return {
    check: shareOf(quota, PARTS.check),
    poll: shareOf(quota, PARTS.poll),
    prepare: shareOf(quota, PARTS.prepare),
    deadLetter: shareOf(quota, PARTS.deadLetter),
    agents: agentConcurrency === undefined ? agents : agentConcurrency,
  };
};

export const reservedOf = (settings: Settings): number =>
  settings.paused ? 0 : (sharesOf(settings).agents ?? 0);

/** Limits an event source to its share. Lambda accepts only one of the two forms. */
export type SourceBound =
  | { readonly maxConcurrency: number }
  | {
      readonly provisionedPollerConfig: {
        readonly minimumPollers: number;
        readonly maximumPollers: number;
      };
    };

export const atMost = (maxConcurrency: number): SourceBound => ({ maxConcurrency });

const BATCHES_OF_POLLER = 10;
const POLLERS_MIN = 2;

/** Provisioned pollers always wait for messages, so a large stack begins at full speed. */
export const visitBound = (settings: Settings): SourceBound => {
  const { visitPollers, emulator } = settings;
  const { check } = sharesOf(settings);
  if (visitPollers === undefined || emulator) return atMost(check);
  const maximumPollers = Math.max(POLLERS_MIN, Math.floor(check / BATCHES_OF_POLLER));
  const minimumPollers = Math.min(visitPollers, maximumPollers);
  return { provisionedPollerConfig: { minimumPollers, maximumPollers } };
};

/**
 * How many messages or records one invocation gets, and how long they gather for it. The cost model
 * (tools/bench/cost) uses the same figures.
 */
export interface BatchSize {
  readonly max: number;
  readonly windowSeconds: number;
}

/**
 * Clients do not notice a second of delay of an event, and a busy stack fills a batch in a second.
 */
export const STREAM_BATCH: BatchSize = { max: 100, windowSeconds: 1 };

/**
 * Messages of the graph never wait. Polls arrive one by one, so their window saves nine tenths of
 * the invocations.
 */
export const QUEUE_BATCHES: Readonly<Record<QueueName, BatchSize>> = {
  prepare: { max: 1, windowSeconds: 0 },
  check: { max: 10, windowSeconds: 0 },
  poll: { max: 10, windowSeconds: 1 },
};

const WAITED_FOR_MB = 1_024;
const BACKGROUND_MB = 512;
const SMALL_MB = 256;

/** The memory of each function, which also decides its CPU share. The cost model reads it too. */
export const FUNCTION_MEMORY_MB: Readonly<Record<FunctionName, number>> = {
  api: WAITED_FOR_MB,
  authorizer: BACKGROUND_MB,
  metadata: BACKGROUND_MB,
  "agent-polls": SMALL_MB,
  signal: BACKGROUND_MB,
  "prepare-traversal": WAITED_FOR_MB,
  "check-resource": WAITED_FOR_MB,
  "dead-letter": BACKGROUND_MB,
  events: BACKGROUND_MB,
  sweep: WAITED_FOR_MB,
  "supervise-stacks": BACKGROUND_MB,
  "await-end": SMALL_MB,
  deadline: BACKGROUND_MB,
  console: SMALL_MB,
  "rotate-signing-key": SMALL_MB,
};
