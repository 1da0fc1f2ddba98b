import { describe, expect, it } from "vitest";
import type { TokenRecord, TokenStore } from "#lib/ports/ports.ts";

export interface OpenedTokens {
  readonly tokens: TokenStore;
  put(hash: string, record: TokenRecord): Promise<void>;
  remove(hash: string): Promise<void>;
}

const BOUNDS = { mayOnlyRead: true, stack: "app" };

export const apiTokensContract = (name: string, open: () => OpenedTokens): void => {
  describe(`${name}: API tokens`, () => {
    it("are found by their whole hash, with their project and end", async () => {
      const { tokens, put } = open();
      await put("hash-1", { tenant: "demo", expiresAt: null, rights: {} });
      await put("hash-2", { tenant: "other", expiresAt: 1_700_000_000_000, rights: BOUNDS });
      expect(await tokens.get("hash-1")).toEqual({ tenant: "demo", expiresAt: null, rights: {} });
      expect(await tokens.get("hash-2")).toEqual({
        tenant: "other",
        expiresAt: 1_700_000_000_000,
        rights: BOUNDS,
      });
      for (const unknown of ["", "hash", "hash-11", "HASH-1", "%"])
        expect([unknown, await tokens.get(unknown || "-")]).toEqual([unknown, null]);
    });

    it("are found as soon as they are stored, though they were missed before", async () => {
      const { tokens, put } = open();
      expect(await tokens.get("hash-3")).toBeNull();
      await put("hash-3", { tenant: "demo", expiresAt: null, rights: {} });
      expect(await tokens.get("hash-3")).toEqual({ tenant: "demo", expiresAt: null, rights: {} });
    });

    it("are gone once removed, if they were not asked for just before", async () => {
      const { tokens, put, remove } = open();
      await put("hash-4", { tenant: "demo", expiresAt: null, rights: {} });
      await remove("hash-4");
      expect(await tokens.get("hash-4")).toBeNull();
    });
  });
};
