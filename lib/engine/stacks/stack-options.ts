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

/**
 * @limit a tag
 * @beyond 400
 */
const TAG_CHARS_MAX = 80;

export const checkTagLengths = (tags: readonly string[]): readonly string[] => {
  const long = tags.find((tag) => [...tag].length > TAG_CHARS_MAX);
  if (long === undefined) return tags;
  throw badRequest(`Invalid tag, "${long}" is longer than ${TAG_CHARS_MAX} characters`);
};

/**
 * Tags are part of the stack's record, and every listing reads that.
 * @limit tags of a stack
 * @beyond 400
 */
const TAGS_MAX = 256;

export const checkTags = (tags: readonly string[]): readonly string[] => {
  if (tags.length > TAGS_MAX) throw badRequest(`A stack has at most ${TAGS_MAX} tags.`);
  return checkTagLengths(tags);
};
