import { describe, it } from "vitest";
import { DIRECTED } from "./directed.ts";

describe("the engine, step by step", () => {
  for (const { title, run } of DIRECTED) it(title, run);
});
