/** A page of the unsettled stacks, for memory and SQLite. */
import type { StackKey, UnsettledPage } from "#lib/ports/store.ts";

/** `found` begins where the page begins. One more than `limit` says that there is another page. */
export const unsettledPage = (found: readonly StackKey[], limit: number): UnsettledPage => {
  const stacks = found.slice(0, limit).map(({ tenant, id }) => ({ tenant, id }));
  return { stacks, next: found.length > limit ? (stacks.at(-1) ?? null) : null };
};
