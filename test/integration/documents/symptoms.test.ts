/** docs/symptoms.md quotes texts of the sources, so that a reader finds what a program prints. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const page = readFileSync(join(ROOT, "docs/symptoms.md"), "utf8");
const sources = globSync("{apps,lib}/**/*.{ts,js}", { cwd: ROOT }).map((path) =>
  readFileSync(join(ROOT, path), "utf8"),
);
const quoted = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = ""]) => text);

it("has many texts, each once", () => {
  expect(quoted.length).toBeGreaterThan(30);
  expect(new Set(quoted).size).toBe(quoted.length);
});

it.each(quoted)("%s is a text of the sources", (text) => {
  const parts = text.split("…").filter((part) => part.trim() !== "");
  expect(sources.some((source) => parts.every((part) => source.includes(part)))).toBe(true);
});
