import { join } from "node:path";
import { defineConfig } from "vitest/config";

const project = (name: string, testTimeoutMs = 20_000, isolate = true) => ({
  test: {
    name,
    isolate,
    include: [`test/${name}/**/*.test.ts`],
    environment: "node",
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    maxConcurrency: 2,
  },
});

/** One project a kind of test, so that each can be run alone: `vitest run --project simulation`. */
export default defineConfig({
  test: {
    // Left to itself vitest leaves one processor alone, which is half of a small machine.
    maxWorkers: 2,
    // For the programs that tests start by the hundred: half of a short one's time is reading its own source.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, ".data/compile-cache") },
    projects: [
      // Importing the same modules for each file was three quarters of its time; they keep nothing that a test could see.
      project("unit", 20_000, false),
      project("architecture"),
      project("contract"),
      project("simulation", 240_000),
      project("prove", 240_000),
      project("integration", 60_000),
      project("e2e", 120_000),
    ],
  },
});
