import { describe, expect, it } from "vitest";
import { SeenRequests } from "#provider/http/answer-request.ts";
import { isSignedBy, operationPath, signatureOf } from "#provider/http/protocol.ts";

const NOW = 1_000_000;
const KEPT_MS = 600_000;

describe("requests of one token", () => {
  it("are admitted once, and only in the order of their times", () => {
    const seen = new SeenRequests();
    expect(seen.admit("a", 10, NOW)).toBe("admitted");
    seen.end("a");
    expect(seen.admit("a", 10, NOW)).toBe("replayed");
    expect(seen.admit("a", 9, NOW)).toBe("replayed");
    expect(seen.admit("a", 11, NOW)).toBe("admitted");
  });

  it("are not worked on at the same time", () => {
    const seen = new SeenRequests();
    expect(seen.admit("a", 10, NOW)).toBe("admitted");
    expect(seen.admit("a", 11, NOW)).toBe("busy");
    expect(seen.admit("b", 11, NOW)).toBe("admitted");
    seen.end("a");
    expect(seen.admit("a", 12, NOW)).toBe("admitted");
  });

  it("are remembered for longer than a signature is good", () => {
    const seen = new SeenRequests();
    seen.admit("a", 10, NOW);
    seen.end("a");
    expect(seen.admit("a", 10, NOW + KEPT_MS - 1)).toBe("replayed");
    expect(seen.admit("a", 10, NOW + KEPT_MS)).toBe("admitted");
  });

  it("have a limit on their tokens, which time lifts", () => {
    const seen = new SeenRequests();
    for (let count = 0; count < 100_000; count += 1) seen.admit(`t${count}`, 10, NOW);
    expect(seen.admit("one more", 10, NOW)).toBe("too_many");
    expect(seen.admit("one more", 10, NOW + KEPT_MS)).toBe("admitted");
  });
});

describe("a signature", () => {
  const parts = {
    method: "PUT",
    path: operationPath("row/CREATE/1"),
    time: "1700000000000",
    body: '{"a":1}',
  };
  const secret = "0123456789abcdef0123456789abcdef";

  it("is that of docs/provider-protocol.yaml", () => {
    expect(parts.path).toBe("/v1/operations/row~CREATE~1");
    expect(signatureOf(secret, parts)).toBe(
      "9260e09dd4e7aceba7ed76dbcc09f70711a5680a1bf61a545ee9928900633de2",
    );
  });

  it("is good for this secret and these parts only", () => {
    const signature = signatureOf(secret, parts);
    expect(isSignedBy(secret, signature, parts)).toBe(true);
    expect(isSignedBy(`${secret}0`, signature, parts)).toBe(false);
    expect(isSignedBy(secret, signature, { ...parts, time: "1700000000001" })).toBe(false);
    expect(isSignedBy(secret, "", parts)).toBe(false);
    expect(isSignedBy(secret, "\u00e9".repeat(64), parts)).toBe(false);
  });
});
