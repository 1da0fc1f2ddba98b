import { Duration } from "aws-cdk-lib";
import type { FunctionName } from "#functions/aws/environment.ts";
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";

export interface FunctionSize {
  readonly description: string;
  readonly timeout: Duration;
  /**
   * Says that the function's messages return to it through a queue: a visit sends the next visit.
   * Lambda stops a chain of more than sixteen such calls as an accidental loop, and makes the
   * message a dead letter. Our chains end: with the graph, with the operation's deadline, or with
   * an overtaken traversal.
   */
  readonly mayCauseItself?: boolean;
  /**
   * Omits the three lines that Lambda logs for each call. In a function that is called very often
   * they would cost as much as the calls.
   */
  readonly isQuiet?: boolean;
}

/**
 * API Gateway waits no longer than 29 seconds.
 * @limit a request's time
 * @beyond 503 with `Retry-After`. What a write has begun may still take effect
 */
const REQUEST = Duration.seconds(29);
const VISIT = Duration.millis(VISIT_MS_MAX);
const SHORT = Duration.seconds(10);
/**
 * A round starts no stack after SWEEP_ROUND_MS_MAX, but it finishes the current one: a stack of a
 * hundred thousand rows takes seconds, with a throttled table minutes.
 * @limit a round of the sweeper
 * @beyond the next round goes on
 */
const SWEEP = Duration.minutes(5);

const size = (description: string, timeout: Duration): FunctionSize => ({ description, timeout });

const sizeInLoop = (...of: Parameters<typeof size>): FunctionSize => ({
  ...size(...of),
  mayCauseItself: true,
});

export const FUNCTION_SIZES: Readonly<Record<FunctionName, FunctionSize>> = {
  api: size("Heat's REST API", REQUEST),
  authorizer: size("Checks the API token of a request", SHORT),
  metadata: {
    ...size("Serves servers' metadata documents at the API", REQUEST),
    isQuiet: true,
  },
  "agent-polls": {
    ...size("Serves servers' metadata documents at its own URL", REQUEST),
    isQuiet: true,
  },
  signal: size("Takes the results of software deployments", REQUEST),
  "prepare-traversal": sizeInLoop("Makes a stack operation's graph", VISIT),
  "check-resource": sizeInLoop("Visits resources: the convergence itself", VISIT),
  "dead-letter": sizeInLoop("Fails messages that were delivered too often", VISIT),
  events: size("Makes events of changes", VISIT),
  sweep: size("Repairs lost messages", SWEEP),
  "supervise-stacks": size("Starts and ends supervisor executions", VISIT),
  "await-end": size("Keeps the supervisor's task token", SHORT),
  deadline: size("Ends an operation at its deadline", VISIT),
  console: size("Serves the files of the console", SHORT),
  "rotate-signing-key": size("Rotates the key of agents' URLs", SHORT),
};
