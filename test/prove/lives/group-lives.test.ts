import { describe, expect, it } from "vitest";
import { groupLife, LIVES } from "./group-life.ts";

/** `npm run prove` plays a thousand lives. */
const SEEDS = [1, 2, 3, 19] as const;

describe("the random lives of groups", () => {
  it.each(LIVES)(
    "%s: members, definitions and attributes are right at any moment",
    async (kind) => {
      for (const seed of SEEDS) expect(await groupLife(seed, kind)).toBeNull();
    },
  );
});
