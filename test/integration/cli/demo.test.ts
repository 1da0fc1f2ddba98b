import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startWith } from "./hearth-process.ts";

it("hearth demo cleans up after Ctrl-C, and says so", async () => {
  const own = mkdtempSync(join(tmpdir(), "demo-"));
  const demo = startWith({ TMPDIR: own }, "http://unused.test", "demo");
  await demo.printed("makes the stack");
  demo.interrupt();
  const { code, stderr } = await demo.ended;
  expect(stderr).toBe("The demo was stopped. Its host, its stack and its files are gone.\n");
  expect(code).toBe(130);
  expect(readdirSync(own)).toEqual([]);
  rmSync(own, { recursive: true });
});
