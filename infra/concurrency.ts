/**
 * How much of the account's concurrency each consumer may have. Together they leave a quarter to
 * functions whose callers wait: the API with its authorizer, the streams, the sweeper. So the
 * visits of a large stack wait in their queues, and the API still answers.
 */
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

export interface Shares {
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
