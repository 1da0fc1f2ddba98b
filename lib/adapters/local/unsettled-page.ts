import type { StackKey, UnsettledPage } from "#lib/ports/store.ts";

export const unsettledPage = (found: readonly StackKey[], limit: number): UnsettledPage => {
  const stacks = found.slice(0, limit).map(({ tenant, id }) => ({ tenant, id }));
  return { stacks, next: found.length > limit ? (stacks.at(-1) ?? null) : null };
};
