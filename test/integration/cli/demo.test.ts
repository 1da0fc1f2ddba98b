import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

it("the recording of hearth demo in the pages shows what it prints today", async () => {
  const { code, stdout } = await startWith({}, "http://unused.test", "demo").ended;
  expect(code).toBe(0);
  const recording = readFileSync(
    new URL("../../../docs/pictures/demo.svg", import.meta.url),
    "utf8",
  ).replaceAll("&lt;", "<");
  const printed = stdout.slice(stdout.indexOf("\nname "));
  // A number differs in each run, and the terminal wraps the long description.
  const isSame = (one: string): boolean => /^\D{1,60}$/.test(one);
  const words = printed.split(/\n| {2,}/).filter(isSame);
  expect(words.length).toBeGreaterThan(20);
  expect(words.filter((one) => !recording.includes(`>${one}<`))).toEqual([]);
});
