import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHost } from "#test/crash/host-process.ts";
import { measureStack } from "../../../tools/bench/measure.ts";
import { SHAPES, templateOf } from "../../../tools/bench/shapes.ts";

it("the bench creates, updates and deletes each shape, and counts the cost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-test-"));
  const host = startHost(folder, { HEARTH_LOG: "silent" });
  try {
    const url = await host.ready();
    for (const [shape, requires] of Object.entries(SHAPES)) {
      const operations: string[] = [];
      const measures = measureStack(url, shape, (changed) => templateOf(requires, 20, changed));
      for await (const measure of measures) {
        operations.push(measure.operation);
        expect(measure.counts["sql_transactions"]).toBeGreaterThan(0);
        expect(measure.rssBytesMax).toBeGreaterThan(0);
        expect(measure.waitMsMax).toBeGreaterThan(0);
      }
      expect(operations).toEqual([
        "create",
        "no-op update",
        "update of one",
        "second of one",
        "update of all",
        "full update",
        "overtaken",
        "delete",
      ]);
    }
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true });
  }
});
