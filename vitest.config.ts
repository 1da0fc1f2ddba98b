import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PlayedSomething } from "./test/lanes/played-something.ts";

/** The files that compute for ten seconds and more, longest first. */
const COMPUTE = [
  "prove/exhaustive.",
  "simulation/mutants/",
  "simulation/directed/crash-",
  "simulation/directed/race-",
  "simulation/random/random-",
  "contract/aws-cost.",
  "architecture/tidy.",
];

/** Those that take as long, but wait for programs, polls and pauses most of the time. */
const WAIT = ["contract/openstack/", "integration/documents/", "integration/"];

/**
 * Long files start first, in turn one that computes and one that waits. So no processor idles while
 * all wait, nor while another finishes one. Vitest sorts by the durations of an earlier run, but a
 * fresh clone has none.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const named = (parts: readonly string[]) =>
      parts.flatMap((part) => sorted.filter((file) => file.moduleId.includes(`/test/${part}`)));
    const waiting = named(WAIT);
    const first = named(COMPUTE).flatMap((file, at) => [file, ...waiting.slice(at, at + 1)]);
    return [...new Set([...first, ...waiting, ...sorted])];
  }
}

/** The projects whose tests start the command. */
const STARTS_HEARTH = ["contract", "integration", "pages"];

/**
 * Their files import the modules once for each worker, and not once for each file. This is safe,
 * because the modules keep no state that a test could see.
 */
const SHARES_MODULES = ["unit", "contract", "integration", "architecture"];

/** They search or break the engine for minutes. `npm run lane -- proof` plays them. */
export const PROOF = [
  "test/prove/**/*.test.ts",
  "test/simulation/{health,mutants,random}/*.test.ts",
  "test/simulation/directed/{crash,race}-*.test.ts",
];

/** They run what the pages of the documents show. `npm run lane -- pages` plays them. */
const PAGES = [
  "test/integration/documents/{command,example,user}-pages.test.ts",
  "test/integration/documents/{run-on-aws-types,templates-document,write-a-provider}.test.ts",
];

interface Files {
  readonly include: string[];
  readonly exclude?: string[];
}

const folder = (name: string): Files => ({
  include: [`test/${name}/**/*.test.ts`],
  exclude: [...PROOF, ...PAGES],
});

/** The time of a test only ends what hangs: a busy machine must not reach it. */
export const project = (name: string, testTimeoutMs = 60_000, files = folder(name)) => ({
  test: {
    name,
    ...files,
    isolate: !SHARES_MODULES.includes(name),
    // A green run prints no log line, whatever the shell has set. Tests of the log turn it on. A
    // CI system turns colours on, also in a pipe.
    env: { HEARTH_LOG: "silent", NO_COLOR: "1" },
    globalSetup: STARTS_HEARTH.includes(name) ? ["test/build-program.ts"] : [],
    setupFiles: ["test/leave-environment.ts"],
    environment: "node",
    testTimeout: testTimeoutMs,
    // Vitest's second is too short for what other programs do on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: testTimeoutMs,
    maxConcurrency: 2,
  },
});

/** One project for each kind of test. One runs alone by `vitest run --project simulation`. */
export default defineConfig({
  test: {
    // More than a small machine has processors: most of the time, half of the files only wait.
    maxWorkers: 5,
    reporters: ["default", new PlayedSomething()],
    sequence: { sequencer: LongFilesFirst },
    // Tests start hundreds of short programs, which spend half of their time on reading source.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, ".data/compile-cache") },
    projects: [
      project("unit"),
      project("architecture", 240_000),
      project("contract"),
      project("simulation", 600_000),
      project("integration", 180_000),
      project("proof", 600_000, { include: PROOF }),
      project("pages", 180_000, { include: PAGES }),
    ],
  },
});
