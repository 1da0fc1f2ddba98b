import { describe, it } from "vitest";
import { DIRECTED } from "./directed.ts";
import { DIRECTED_FAULTS } from "./directed-faults.ts";
import { DIRECTED_NESTED } from "./directed-nested.ts";
import { DIRECTED_STAMPS } from "./directed-stamps.ts";

describe("the engine, step by step", () => {
  for (const { title, run } of [
    ...DIRECTED,
    ...DIRECTED_FAULTS,
    ...DIRECTED_STAMPS,
    ...DIRECTED_NESTED,
  ])
    it(title, run);
});
