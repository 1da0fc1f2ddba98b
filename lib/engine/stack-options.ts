/** The options of a stack besides its template. */
import { badRequest } from "#lib/errors.ts";
import { STACK_TIMEOUT_MINS_MAX } from "#lib/stack/limits.ts";

export interface StackOptions {
  readonly timeoutMins?: number | undefined;
  readonly disableRollback?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** As in Heat, zero means no value. Throws 400 outside the limits. */
export const checkTimeout = (timeoutMins: number | undefined): number | undefined => {
  if (timeoutMins === undefined || timeoutMins === 0) return undefined;
  if (timeoutMins > 0 && timeoutMins <= STACK_TIMEOUT_MINS_MAX) return timeoutMins;
  throw badRequest(
    `Invalid timeout value ${timeoutMins}: it must be between 1 and ${STACK_TIMEOUT_MINS_MAX} minutes.`,
  );
};
