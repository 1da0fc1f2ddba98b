/**
 * How much of the account's concurrent executions each consumer may have. Together they leave a
 * quarter of it to those whose callers wait: the API with its authorizer, the streams, the sweeper.
 * So a large stack waits in its queues, and the API answers.
 */
import type { Settings } from "./settings.ts";

/** What a new account has. Every deployment succeeds with it. */
export const QUOTA_OF_NEW_ACCOUNT = 10;
/** What most accounts have. An emulator has no quota, and counts as one of these. */
export const USUAL_QUOTA = 1_000;
/** A reservation that leaves fewer to the other functions of the account is refused by Lambda. */
const UNRESERVED_MIN = 100;
/** Polls that are reserved in an account with the usual quota. */
export const AGENTS = 50;
/** The range of an event source's MaximumConcurrency. In a small account each has the least. */
const SOURCE_MIN = 2;
const SOURCE_MAX = 1_000;

export interface Shares {
  /** Batches of visits at once, of ten messages each. */
  readonly check: number;
  /** Batches of polled operations. */
  readonly poll: number;
  readonly prepare: number;
  /** Of each of the three dead-letter queues. */
  readonly deadLetter: number;
  /** Reserved for agents' polls. Null: they share the account. */
  readonly agents: number | null;
}

/** The parts of the quota. Together with the agents they leave a quarter of it. */
const PARTS = { check: 0.5, poll: 0.1, prepare: 0.05, deadLetter: 0.02 };

const shareOf = (quota: number, part: number): number =>
  quota < UNRESERVED_MIN ? SOURCE_MIN : Math.min(SOURCE_MAX, Math.floor(quota * part));

/** How many executions can be reserved. */
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

/** What the stage takes from the unreserved executions of the account. */
export const reservedOf = (settings: Settings): number =>
  settings.paused ? 0 : (sharesOf(settings).agents ?? 0);

/** How an event source is kept within its share. Lambda accepts one of the two. */
export type SourceBound =
  | { readonly maxConcurrency: number }
  | {
      readonly provisionedPollerConfig: {
        readonly minimumPollers: number;
        readonly maximumPollers: number;
      };
    };

export const atMost = (maxConcurrency: number): SourceBound => ({ maxConcurrency });

/** Batches that one provisioned poller hands on at once. */
const BATCHES_OF_POLLER = 10;
const POLLERS_MIN = 2;

/** With pollers that always wait, a large stack does not begin slowly. */
export const visitBound = (settings: Settings): SourceBound => {
  const { visitPollers, emulator } = settings;
  const { check } = sharesOf(settings);
  if (visitPollers === undefined || emulator) return atMost(check);
  const maximumPollers = Math.max(POLLERS_MIN, Math.floor(check / BATCHES_OF_POLLER));
  const minimumPollers = Math.min(visitPollers, maximumPollers);
  return { provisionedPollerConfig: { minimumPollers, maximumPollers } };
};
