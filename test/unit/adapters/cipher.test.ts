import { expect, it } from "vitest";
import { randomPieces } from "#lib/adapters/node/cipher.ts";

it("gives each piece once, also where one call of the system ends and the next begins", () => {
  const next = randomPieces(12);
  const pieces = Array.from({ length: 1_000 }, () => next().toString("hex"));
  expect(new Set(pieces).size).toBe(pieces.length);
  expect(pieces.every((piece) => piece.length === 24)).toBe(true);
});

it("does not change a piece that was given", () => {
  const next = randomPieces(12);
  const first = next();
  const before = Buffer.from(first);
  for (let calls = 0; calls < 100; calls++) next();
  expect(first.equals(before)).toBe(true);
});
