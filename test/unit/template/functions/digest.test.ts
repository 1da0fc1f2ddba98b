import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import { evaluate } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const digest = (name: string, text: string) => evaluate({ digest: [name, text] });
const problem = (args: Json) => failureOf(() => evaluate({ digest: args }))?.message;

const ALGORITHMS = [
  ["blake2b", "blake2b512"],
  ["blake2s", "blake2s256"],
  ["md5", "md5"],
  ["ripemd160", "ripemd160"],
  ["sha1", "sha1"],
  ["sha224", "sha224"],
  ["sha256", "sha256"],
  ["sha384", "sha384"],
  ["sha3_224", "sha3-224"],
  ["sha3_256", "sha3-256"],
  ["sha3_384", "sha3-384"],
  ["sha3_512", "sha3-512"],
  ["sha512", "sha512"],
  ["sha512_224", "sha512-224"],
  ["sha512_256", "sha512-256"],
] as const;

/** Every length up to more than two of the longest blocks. */
const LENGTHS = Array.from({ length: 300 }, (_, length) => length);

describe("digest", () => {
  it.each(ALGORITHMS)("%s gives what OpenSSL gives, at every length", (name, nodeName) => {
    for (const length of LENGTHS) {
      const text = String.fromCharCode(...LENGTHS.slice(0, length).map((at) => (at * 37) % 256));
      const expected = createHash(nodeName).update(text, "latin1").digest("hex");
      expect(digest(name, text), String(length)).toBe(expected);
    }
  });

  it("takes upper case where Python takes it", () => {
    expect(digest("SHA512_224", "x")).toBe(digest("sha512_224", "x"));
    expect(problem(["SHA3_224", "x"])).toBe("here: unsupported hash type SHA3_224");
    expect(problem(["shake_128", "x"])).toBe(
      "here: hexdigest() missing required argument 'length' (pos 1)",
    );
    expect(problem(["SM3", "x"])).toBe(
      "here: Hearth does not have the algorithm SM3. Use sha256 instead",
    );
    expect(problem(["toString", "x"])).toMatch(/^here: Algorithm must be one of \{'blake2b', /);
  });

  it("refuses what Latin-1 lacks, and counts characters as Python does", () => {
    expect(digest("md5", "é")).toBe(createHash("md5").update("é", "latin1").digest("hex"));
    expect(problem(["md5", "aé€\u{1d11e}b"])).toBe(
      "here: 'latin-1' codec can't encode characters in position 2-3: ordinal not in range(256)",
    );
    expect(problem(["md5", "\u{1d11e}"])).toBe(
      "here: 'latin-1' codec can't encode character '\\U0001d11e' in position 0: ordinal not in range(256)",
    );
  });

  it("refuses what is no pair of texts", () => {
    expect(problem(["md5", 1])).toContain("must be a list of strings");
    expect(problem(["md5"])).toBe('here: Function "digest" usage: ["<algorithm>", "<value>"]');
  });

  it("refuses texts that would take long", () => {
    expect(String(digest("sha256", "x".repeat(500_000)))).toHaveLength(64);
    for (const name of ["sha3_512", "ripemd160"])
      expect(problem([name, "x".repeat(600_000)])).toContain('"digest" searches too much text');
  });
});
