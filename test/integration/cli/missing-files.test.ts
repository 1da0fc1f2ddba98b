import { expect, it } from "vitest";
import { hearthHere } from "./hearth-here.ts";

const NOWHERE = "http://127.0.0.1:9";

it.each([
  ["stack", "create", "web", "-t", "none.yaml"],
  ["stack", "create", "web", "-t", "examples/two-tier/two-tier.yaml", "-e", "none.yaml"],
  ["stack", "create", "web", "-t", "examples/two-tier/two-tier.yaml", "-e", "hearth:none"],
  ["stack", "create", "web", "-t", "examples/two-tier/two-tier.yaml", "--inventory", "none.yaml"],
  ["stack", "update", "web", "-t", "none.yaml"],
  ["stack", "diff", "web", "-t", "none.yaml"],
  ["stack", "adopt", "web", "--adopt-file", "none.json"],
  ["stack", "apply", "none.json"],
  ["--ca-file", "none.pem", "stack", "list"],
  ["template", "validate", "none.yaml"],
  ["template", "graph", "none.yaml"],
  ["template", "assess", "none"],
  ["restore", "none.backup", "--data", "none"],
])("%s %s %s … ends with 2", async (...words) => {
  const { code, stderr } = await hearthHere(NOWHERE, ...words);
  expect(code).toBe(2);
  expect(stderr).toMatch(/none.*(?:no such file|does not exist|is not an environment)/);
});
