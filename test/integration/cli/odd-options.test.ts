import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hearthHere } from "./hearth-here.ts";

const NOWHERE = "http://127.0.0.1:9";

it("an endpoint with a password in it is refused, without the password", async () => {
  const { code, stderr } = await hearthHere("http://user:swordfish@127.0.0.1:9", "stack", "list");
  expect([code, stderr]).toEqual([2, "--endpoint has a password in it: give a --token"]);
});

it.each(["a\nb", "snow☃man"])("the token %j is refused", async (token) => {
  const { code, stderr } = await hearthHere(NOWHERE, "--token", token, "stack", "list");
  expect([code, stderr]).toEqual([2, "--token has characters that an HTTP header cannot carry"]);
});

it("a file that is no plan is told from one that is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-plan-"));
  const file = join(folder, "plan");
  writeFileSync(file, "heat_template_version: 2021-04-16\n");
  const { code, stderr } = await hearthHere(NOWHERE, "stack", "apply", file);
  rmSync(folder, { recursive: true });
  expect([code, stderr]).toEqual([1, `${file}: it is not a plan of stack update --out`]);
});

it.each([
  [["stack", "delete", "", "--yes"], "<stack> is empty"],
  [["resource", "show", "web", ""], "<resource> is empty"],
  [["stack", "outputs", "web", ""], "<key> is empty"],
])("%j has an empty word, as of a variable that is not set", async (words, text) => {
  const { code, stderr } = await hearthHere(NOWHERE, ...words);
  expect([code, stderr]).toEqual([2, text]);
});

it("a depth that is no number is told by its option", async () => {
  const { code, stderr } = await hearthHere(NOWHERE, "stack", "events", "web", "-n", "x");
  expect([code, stderr]).toEqual([2, "--nested-depth is a whole number, 0 or more"]);
});
