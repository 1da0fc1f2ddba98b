/**
 * A reporter that fails a run without tests. Vitest calls it a success if `-t` matches no title.
 */
import type { Reporter, TestModule } from "vitest/node";

export class PlayedSomething implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    if (tests.some((test) => test.result().state !== "skipped")) return;
    process.exitCode = 1;
    console.error(`No test was played: ${tests.length} were skipped, since no title has the words`);
  }
}
