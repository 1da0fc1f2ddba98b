import { describe, expect, it } from "vitest";
import {
  browserIds,
  browserRandom,
  nobleCipher,
  nobleSigner,
} from "#lib/adapters/browser/noble.ts";
import {
  memoryCipher,
  memoryIds,
  memoryRandom,
  memorySigner,
} from "#lib/adapters/memory/seeded.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, hmacSigner, systemClock, uuidIds } from "#lib/adapters/node/platform.ts";
import type { Cipher, Ids, SignedGrant, Signer } from "#lib/ports/ports.ts";

const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const oldKey = { kid: "old", secret: bytes(1) };
const newKey = { kid: "new", secret: bytes(2) };
const grant: SignedGrant = { tenant: "acme", kind: "signal", id: "d1", exp: 1_750_000_000, gen: 3 };

const signerContract = (name: string, open: () => Signer): void => {
  describe(name, () => {
    it("verifies what it signed", () => {
      const { kid, exp, gen, sig } = open().sign(grant);
      expect({ exp, gen }).toEqual({ exp: grant.exp, gen: grant.gen });
      expect(open().verify(grant, kid, sig)).toBe(true);
      expect(open().sign(grant).sig).toBe(sig);
    });

    it.each<[string, Partial<SignedGrant>]>([
      ["tenant", { tenant: "acme2" }],
      ["kind", { kind: "metadata" }],
      ["id", { id: "d2" }],
      ["exp", { exp: grant.exp + 1 }],
      ["gen", { gen: 4 }],
      ["the border between tenant and id", { tenant: "acm", id: "ed1" }],
    ])("refuses another %s", (_, other) => {
      const { kid, sig } = open().sign(grant);
      expect(open().verify({ ...grant, ...other }, kid, sig)).toBe(false);
    });

    it("refuses a foreign key and a changed, cut or empty signature", () => {
      const { kid, sig } = open().sign(grant);
      expect(open().verify(grant, "nobody", sig)).toBe(false);
      const changed = (sig.startsWith("A") ? "B" : "A") + sig.slice(1);
      for (const wrong of [changed, sig.slice(1), `${sig}=`, ""])
        expect(open().verify(grant, kid, wrong)).toBe(false);
    });
  });
};
signerContract("the memory signer", memorySigner);
signerContract("the HMAC signer", () => hmacSigner([newKey, oldKey]));
signerContract("the HMAC signer of browsers", () => nobleSigner([newKey, oldKey]));

describe.each([
  ["Node", hmacSigner],
  ["browsers", nobleSigner],
])("rotated keys in %s", (_, signer) => {
  it("verify the old key's signatures until the old key is removed", () => {
    const { kid, sig } = signer([oldKey]).sign(grant);
    expect(signer([newKey, oldKey]).verify(grant, kid, sig)).toBe(true);
    expect(signer([newKey, oldKey]).sign(grant).kid).toBe("new");
    expect(signer([newKey]).verify(grant, kid, sig)).toBe(false);
    expect(signer([newKey, oldKey]).verify(grant, "new", sig)).toBe(false);
  });
});

describe("the signatures of Node and of browsers", () => {
  it("are the same", () => {
    expect(nobleSigner([newKey]).sign(grant)).toEqual(hmacSigner([newKey]).sign(grant));
  });
});

const PLACE = { context: "acme/stack-1", field: "servers.metadata/1" };

const cipherContract = (name: string, open: () => Cipher): void => {
  describe(name, () => {
    it.each(["", "text", "naïve \u{1f525}", "x".repeat(100_000)])(
      "opens what it sealed",
      async (text) => {
        const sealed = await open().seal(PLACE, text);
        expect(await open().open(PLACE, sealed)).toBe(text);
      },
    );

    it("opens a text that was sealed against a known one", async () => {
      const sealed = await open().seal(PLACE, "a text, and more", "a text");
      expect(await open().open(PLACE, sealed, "a text")).toBe("a text, and more");
    });

    it.each([
      ["stack", { context: "acme/stack-2" }],
      ["tenant", { context: "beta/stack-1" }],
      ["table", { field: "deployments.metadata/1" }],
      ["field", { field: "servers.name/1" }],
      ["record", { field: "servers.metadata/2" }],
    ])("opens no text of another %s, and no text that was not sealed", async (_, other) => {
      const [sealed, place] = [await open().seal(PLACE, "text"), { ...PLACE, ...other }];
      await expect(open().open(place, sealed)).rejects.toThrow(place.context);
      await expect(open().open(PLACE, "text")).rejects.toThrow(PLACE.context);
      // The former format contains no field, so its name must not open the text either.
      await expect(open().open(place, sealed.replace("v2.", "v1."))).rejects.toThrow();
    });
  });
};
cipherContract("the memory cipher", memoryCipher);
cipherContract("the AES cipher", () => aesCipher(bytes(7)));
cipherContract("the AES cipher of browsers", () => nobleCipher(bytes(7)));

describe.each([
  ["Node", aesCipher],
  ["browsers", nobleCipher],
])("AES sealing in %s", (_, cipherOf) => {
  it("hides the text and never gives the same bytes twice", async () => {
    const cipher = cipherOf(bytes(7));
    const sealed = await cipher.seal(PLACE, "password");
    expect(sealed).not.toContain("password");
    expect(await cipher.seal(PLACE, "password")).not.toBe(sealed);
  });

  it("does not open with another key, or after a change or a cut", async () => {
    const sealed = await cipherOf(bytes(7)).seal(PLACE, "password");
    await expect(cipherOf(bytes(8)).open(PLACE, sealed)).rejects.toThrow("does not open");
    const at = sealed.length - 3;
    const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    for (const wrong of [changed, sealed.slice(0, -4), sealed.slice(0, 12)])
      await expect(cipherOf(bytes(7)).open(PLACE, wrong)).rejects.toThrow();
  });

  it("requires a key of the right length", () => {
    expect(() => cipherOf(new Uint8Array(16))).toThrow("wrong length");
  });
});

describe("a text that a browser has sealed", () => {
  it("opens in Node, and one of Node's in a browser unless it is compressed", async () => {
    const [node, browser] = [aesCipher(bytes(7)), nobleCipher(bytes(7))];
    expect(await node.open(PLACE, await browser.seal(PLACE, "naïve"))).toBe("naïve");
    expect(await browser.open(PLACE, await node.seal(PLACE, "naïve"))).toBe("naïve");
    const compressed = await node.seal(PLACE, "x".repeat(10_000));
    await expect(browser.open(PLACE, compressed)).rejects.toThrow("does not open");
  });
});

describe("a known text in Node", () => {
  it("saves its room, and must be the one that the text was sealed with", async () => {
    const known = "a known text ".repeat(20);
    const cipher = aesCipher(bytes(3));
    const sealed = await cipher.seal(PLACE, `${known}and more`, known);
    expect(sealed.length).toBeLessThan(120);
    expect(await cipher.open(PLACE, sealed, known)).toBe(`${known}and more`);
    await expect(cipher.open(PLACE, sealed, `${known}.`)).rejects.toThrow("does not open");
    await expect(cipher.open(PLACE, sealed)).rejects.toThrow("does not open");
  });
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const idsContract = (name: string, open: () => Ids): void => {
  describe(name, () => {
    it("mints fresh UUIDs", () => {
      const ids = open();
      const minted = new Set(Array.from({ length: 10_000 }, () => ids.fresh()));
      expect(minted.size).toBe(10_000);
      for (const id of minted) expect(id).toMatch(UUID);
    });

    it("derives the same UUID from the same parts only", () => {
      expect(open().derive("a", "b")).toBe(open().derive("a", "b"));
      expect(open().derive("a", "b")).toMatch(UUID);
      const lists = [["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ["", "ab"], ["a"], []];
      const numbered = Array.from({ length: 20_000 }, (_, at) => ["traversal", `row-${at}`]);
      const derived = new Set([...lists, ...numbered].map((parts) => open().derive(...parts)));
      expect(derived.size).toBe(lists.length + numbered.length);
    });
  });
};
idsContract("the memory ids", () => memoryIds(1));
idsContract("the UUIDs", uuidIds);
idsContract("the UUIDs of browsers", browserIds);

describe("the derived ids of Node and of browsers", () => {
  it("are the same", () => {
    expect(browserIds().derive("a", "naïve")).toBe(uuidIds().derive("a", "naïve"));
  });
});

describe("randomness", () => {
  it.each([
    ["memory", memoryRandom(42)],
    ["crypto", cryptoRandom()],
    ["browsers", browserRandom()],
  ])("of %s stays below its limit and reaches every number", (_, random) => {
    const drawn = Array.from({ length: 2_000 }, () => random.below(6));
    expect([...new Set(drawn)].toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(random.below(1)).toBe(0);
  });

  it("is the same for the same seed", () => {
    const draw = (seed: number) => {
      const [random, ids] = [memoryRandom(seed), memoryIds(seed)];
      return Array.from({ length: 20 }, () => [random.below(1_000_000), ids.fresh()]);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });
});

describe("the system clock", () => {
  it("goes on by itself", () => {
    const clock = systemClock();
    expect(clock.now()).toBeLessThanOrEqual(clock.now());
    expect(clock.now()).toBeGreaterThan(1_700_000_000_000);
  });
});
