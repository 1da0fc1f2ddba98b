/** Each function's purpose, time limit and memory, which also decides its CPU. */
import { Duration } from "aws-cdk-lib";
import type { FunctionName } from "#functions/aws/environment.ts";
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";

export interface FunctionSize {
  readonly description: string;
  readonly timeout: Duration;
  readonly memoryMb: number;
  /**
   * Whether its messages come back to it through a queue: a visit sends the next visit. Lambda
   * stops a chain of more than sixteen such calls as an accidental loop, and makes the message a
   * dead letter. Ours end: with the graph, with the operation's deadline, or with an overtaken
   * traversal.
   */
  readonly mayCauseItself?: boolean;
  /**
   * Leaves out the three lines that Lambda logs of each call. For a function that is called so
   * often that they would cost as much as its calls.
   */
  readonly isQuiet?: boolean;
}

/** API Gateway waits no longer than 29 seconds. */
const REQUEST = Duration.seconds(29);
const VISIT = Duration.millis(VISIT_MS_MAX);
const SHORT = Duration.seconds(10);
/**
 * A round of the sweep begins no stack after SWEEP_ROUND_MS_MAX. What it has begun is brought to
 * its end: a stack of a hundred thousand rows takes seconds, a throttled one minutes.
 */
const SWEEP = Duration.minutes(5);

const WAITED_FOR_MB = 1_024;
const BACKGROUND_MB = 512;
const SMALL_MB = 256;

const size = (description: string, timeout: Duration, memoryMb: number): FunctionSize => ({
  description,
  timeout,
  memoryMb,
});

const sizeInLoop = (...of: Parameters<typeof size>): FunctionSize => ({
  ...size(...of),
  mayCauseItself: true,
});

export const FUNCTION_SIZES: Readonly<Record<FunctionName, FunctionSize>> = {
  api: size("Heat's REST API", REQUEST, WAITED_FOR_MB),
  authorizer: size("Checks the API token of a request", SHORT, BACKGROUND_MB),
  metadata: {
    ...size("Serves servers' metadata documents at the API", REQUEST, BACKGROUND_MB),
    isQuiet: true,
  },
  "agent-polls": {
    ...size("Serves servers' metadata documents at its own URL", REQUEST, SMALL_MB),
    isQuiet: true,
  },
  signal: size("Takes the results of software deployments", REQUEST, BACKGROUND_MB),
  "prepare-traversal": sizeInLoop("Makes a stack operation's graph", VISIT, WAITED_FOR_MB),
  "check-resource": sizeInLoop("Visits resources: the convergence itself", VISIT, WAITED_FOR_MB),
  "dead-letter": sizeInLoop("Fails messages that were delivered too often", VISIT, BACKGROUND_MB),
  events: size("Makes events of changes", VISIT, BACKGROUND_MB),
  sweep: size("Repairs lost messages", SWEEP, WAITED_FOR_MB),
  "supervise-stacks": size("Starts and ends supervisor executions", SHORT, SMALL_MB),
  "await-end": size("Keeps the supervisor's task token", SHORT, SMALL_MB),
  deadline: size("Ends an operation at its deadline", VISIT, BACKGROUND_MB),
  "rotate-signing-key": size("Rotates the key of agents' URLs", SHORT, SMALL_MB),
};
