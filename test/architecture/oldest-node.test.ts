import { describe, expect, it } from "vitest";
import { repositoryFiles } from "./repository.ts";

const TOO_NEW = {
  "a numbered parameter: Node before 22.20 binds its value wrongly": /[\s(]\?\d+[\s)`]/,
  "DatabaseSync.isTransaction": /\.isTransaction\b/,
  "import.meta.main": /import\.meta\.main\b/,
  "RegExp.escape": /RegExp\.escape\(/,
  "Promise.try": /Promise\.try\(/,
  "Error.isError": /Error\.isError\(/,
};

const SHIPPED = /^(?:apps\/(?:agent|cli|client|host)|functions|lib)\/.*\.ts$/;
const shipped = repositoryFiles().filter(({ path }) => SHIPPED.test(path));

describe("the package on the oldest Node that it allows", () => {
  it.each(Object.entries(TOO_NEW))("does not use %s", (_what, pattern) => {
    expect(shipped.length).toBeGreaterThan(200);
    expect(shipped.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
