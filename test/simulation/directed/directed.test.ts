import { describe, it } from "vitest";
import { ALL_DIRECTED } from "./all.ts";

describe("the engine, step by step", () => {
  for (const { title, run } of ALL_DIRECTED) it(title, run);
});
