import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take ten seconds and more, longest first. */
const LONG_FILES = [
  "prove/exhaustive.",
  "simulation/random/random-",
  "contract/aws-cost.",
  "integration/cli/",
  "simulation/directed/crash-",
  "simulation/mutants/",
  "architecture/infra.",
  "integration/",
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONG_FILES.findIndex((part) => moduleId.includes(`/test/${part}`));
  return rank < 0 ? LONG_FILES.length : rank;
};

/**
 * Long files start first, so that no processor idles while another finishes one.
 * Vitest does this with the durations of an earlier run, but a fresh clone has none.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** The projects whose tests start the command. */
const STARTS_HEARTH = ["contract", "integration"];

const project = (name: string, testTimeoutMs = 20_000, isolate = true) => ({
  test: {
    name,
    isolate,
    globalSetup: STARTS_HEARTH.includes(name) ? ["test/build-program.ts"] : [],
    include: [`test/${name}/**/*.test.ts`],
    environment: "node",
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    maxConcurrency: 2,
  },
});

/** One project for each kind of test. One runs alone by `vitest run --project simulation`. */
export default defineConfig({
  test: {
    // One more than a small machine has processors: many tests wait for programs that they start.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    // Tests start hundreds of short programs, which spend half of their time on reading source.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, ".data/compile-cache") },
    projects: [
      // One import of the modules for all files: imports were three quarters of the time.
      // It is safe, because these modules keep no state that a test could see.
      project("unit", 20_000, false),
      project("architecture", 60_000),
      project("contract"),
      project("simulation", 240_000),
      project("prove", 240_000),
      project("integration", 60_000),
    ],
  },
});
