import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Throttle } from "#lib/ports/ports.ts";
import { eachTest, type Open } from "./opened.ts";

const WINDOW_MS = 10_000;
const FIRST = 1_750_000_000_000;
const SECOND = FIRST + WINDOW_MS;

export const throttleContract = (name: string, open: Open<Throttle>): void => {
  describe(name, () => {
    const throttle = eachTest(open);
    const count = (tenant: string, windowStart: number): Promise<number> =>
      throttle().count(tenant, windowStart, windowStart + 2 * WINDOW_MS);

    it("counts each request once, and apart for each tenant and window", async () => {
      const [one, other] = [randomUUID(), `${"t".repeat(200)}@${randomUUID()}`];
      expect([await count(one, FIRST), await count(one, FIRST)]).toEqual([1, 2]);
      expect(await count(other, FIRST)).toBe(1);
      expect(await count(one, SECOND)).toBe(1);
      expect([await count(one, FIRST), await count(other, FIRST)]).toEqual([3, 2]);
    });

    it("gives each of many requests at once a number of its own", async () => {
      const tenant = randomUUID();
      const all = Array.from({ length: 30 }, (_, at) => at + 1);
      const counts = await Promise.all(all.map(() => count(tenant, FIRST)));
      expect(counts.toSorted((a, b) => a - b)).toEqual(all);
    });
  });
};
