import type { TokenRecord, TokenStore } from "#lib/ports/ports.ts";

/** How long a warm worker may still accept a revoked token. */
const CACHED_MS_MAX = 60_000;
const CACHED_TOKENS_MAX = 1_000;

/** Only hits are cached, so a new token works at once. */
export const cachedTokens = (store: TokenStore, clock: { now(): number }): TokenStore => {
  const known = new Map<string, { readonly record: TokenRecord; readonly until: number }>();
  return {
    get: async (hash) => {
      const cached = known.get(hash);
      if (cached && cached.until > clock.now()) return cached.record;
      const record = await store.get(hash);
      if (known.size >= CACHED_TOKENS_MAX) known.clear();
      if (record === null) known.delete(hash);
      else known.set(hash, { record, until: clock.now() + CACHED_MS_MAX });
      return record;
    },
  };
};
