import { describe, it } from "vitest";
import { DIRECTED } from "./directed.ts";
import { DIRECTED_BATCHES } from "./directed-batches.ts";
import { DIRECTED_FAULTS } from "./directed-faults.ts";
import { DIRECTED_HOOKS } from "./directed-hooks.ts";
import { DIRECTED_LIFE } from "./directed-life.ts";
import { DIRECTED_NESTED } from "./directed-nested.ts";
import { DIRECTED_SAME_TARGET } from "./directed-same-target.ts";
import { DIRECTED_STAMPS } from "./directed-stamps.ts";

describe("the engine, step by step", () => {
  const cases = [
    ...DIRECTED,
    ...DIRECTED_FAULTS,
    ...DIRECTED_STAMPS,
    ...DIRECTED_HOOKS,
    ...DIRECTED_LIFE,
    ...DIRECTED_NESTED,
    ...DIRECTED_SAME_TARGET,
    ...DIRECTED_BATCHES,
  ];
  for (const { title, run } of cases) it(title, run);
});
