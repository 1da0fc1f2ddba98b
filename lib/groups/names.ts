/** The names of a ResourceGroup's members: the numbers from 0 up, without the removed ones. */
import { requestLimitExceeded } from "#lib/errors.ts";

/**
 * All members become rows of one stack, and each plan of a change goes through all of them.
 * @limit members of one group
 * @beyond 400 `RequestLimitExceeded`
 */
export const GROUP_MEMBERS_MAX = 10_000;

export const checkSize = (size: number): void => {
  if (size <= GROUP_MEMBERS_MAX) return;
  throw requestLimitExceeded(
    `a group may have at most ${GROUP_MEMBERS_MAX} members, and this one asks for ${size}`,
  );
};

export const indexNames = (count: number, skip: Iterable<string>): readonly string[] => {
  const skipped = new Set(skip);
  const names: string[] = [];
  for (let index = 0; names.length < count; index++) {
    const name = String(index);
    if (!skipped.has(name)) names.push(name);
  }
  return names;
};

const INDEX = /^(?:0|[1-9]\d{0,14})$/;

export const indexOf = (name: string): number | null => (INDEX.test(name) ? Number(name) : null);
