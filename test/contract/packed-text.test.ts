import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { INFLATED_BYTES_MAX, packText, unpackText } from "#lib/adapters/node/packed-text.ts";

const MASTER_KEY = new Uint8Array(32).fill(7);
/** A text that deflate cannot make much smaller, and that another thread inflates. */
const LARGE_BYTES = 131_072;
const former = z
  .strictObject({
    context: z.string(),
    text: z.string(),
    asItIs: z.string(),
    compressed: z.string(),
    against: z.strictObject({ sealed: z.string(), known: z.string() }),
  })
  .parse(JSON.parse(readFileSync(new URL("former-records/sealed.json", import.meta.url), "utf8")));

const PLACE = { context: former.context, field: "any" };

const compressed = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(0xff), deflateRawSync(bytes)]);

describe("packed texts", () => {
  it.each([
    ["short", "text"],
    ["repeated", "naïve \u{1f525} ".repeat(1_000)],
    ["random", randomBytes(LARGE_BYTES).toString("base64")],
    ["long", `{"a":"${"x".repeat(65_000)}"}`.repeat(40)],
    ["long, with a character at each border of pieces", `x${"\u{1f525}".repeat(600_000)}`],
    ["long and random", randomBytes(1_000_000).toString("base64")],
    ["larger than the bound", "x".repeat(INFLATED_BYTES_MAX + 1)],
  ])("are unpacked as they were: %s", async (_, text) => {
    // A comparison by `toBe` would print megabytes.
    expect((await unpackText(await packText(text))) === text).toBe(true);
  });

  it("are smaller if they repeat themselves, and never larger", async () => {
    expect((await packText("0123456789".repeat(100))).length).toBeLessThan(50);
    for (const bytes of [1, 190, 200, 1_000]) {
      const text = randomBytes(bytes).toString("base64");
      expect((await packText(text)).length).toBeLessThanOrEqual(text.length);
    }
  });

  it("that inflate beyond the bound are refused, small and large", async () => {
    const zeros = Buffer.alloc(INFLATED_BYTES_MAX + 1);
    const mixed = Buffer.concat([randomBytes(LARGE_BYTES), zeros]);
    for (const bytes of [zeros, mixed])
      await expect(unpackText(compressed(bytes))).rejects.toThrow(RangeError);
    const most = await unpackText(compressed(zeros.subarray(1)));
    expect(most.length).toBe(INFLATED_BYTES_MAX);
  });

  it("against a known text are as short as what differs, and are unpacked with it only", async () => {
    const known = randomBytes(6_000).toString("base64");
    const text = `{"user_data":"${known}","name":"web"}`;
    const packed = await packText(text, known);
    expect(packed.length).toBeLessThan(150);
    expect((await unpackText(packed, known)) === text).toBe(true);
    for (const other of [undefined, "", `${known}.`])
      await expect(unpackText(packed, other)).rejects.toThrow("the known text is another one");
  });

  it.each([
    ["nothing", ""],
    ["a known text that it does not repeat", randomBytes(1_000).toString("base64")],
    ["one that is longer than deflate looks back", "known".repeat(20_000)],
  ])("against %s are unpacked as they were", async (_, known) => {
    for (const text of [
      "",
      "short",
      randomBytes(LARGE_BYTES).toString("base64"),
      "known".repeat(99),
    ])
      expect((await unpackText(await packText(text, known), known)) === text).toBe(true);
  });

  it("that are cut are refused", async () => {
    const whole = compressed(randomBytes(1_000));
    await expect(unpackText(whole.subarray(0, -1))).rejects.toThrow("unexpected end of file");
  });
});

describe("sealed texts of both forms", () => {
  it.each([
    ["uncompressed, of an earlier version", former.asItIs],
    ["compressed", former.compressed],
  ])("are opened: %s", async (_, sealed) => {
    expect(await aesCipher(MASTER_KEY).open(PLACE, sealed)).toBe(former.text);
  });

  it("are opened: against a known text", async () => {
    const { sealed, known } = former.against;
    expect(await aesCipher(MASTER_KEY).open(PLACE, sealed, known)).toBe(former.text);
  });

  it("are compressed from now on", async () => {
    const sealed = await aesCipher(MASTER_KEY).seal(PLACE, former.text);
    expect(sealed.length).toBeLessThan(former.asItIs.length);
  });
});
