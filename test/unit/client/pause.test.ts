import { expect, it } from "vitest";
import { pause } from "#client/pause.ts";

/** Longer than any test may take. */
const LONG_MS = 3_600_000;

it("a pause ends early when it is stopped, before it or during it", async () => {
  const stop = new AbortController();
  const during = pause(LONG_MS, stop.signal);
  stop.abort();
  await expect(during).resolves.toBeUndefined();
  await expect(pause(LONG_MS, stop.signal)).resolves.toBeUndefined();
});

it("a pause ends by itself", async () => {
  await expect(pause(1)).resolves.toBeUndefined();
});
