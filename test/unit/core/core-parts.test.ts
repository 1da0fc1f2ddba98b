/** Which files the lane of the core copies, and why a test stays behind. */
import { describe, expect, it } from "vitest";
import { coreParts } from "#test/core/core-parts.ts";

const PRODUCT = {
  "lib/a.ts": 'import types from "./types.json" with { type: "json" };',
  "lib/types.json": null,
  "lib/authoring/page.ts": "",
  "apps/cli/hearth.ts": "",
  "pages/cli.md": null,
};

const partsWith = (tests: Readonly<Record<string, string | null>>) =>
  coreParts(new Map(Object.entries({ ...PRODUCT, ...tests })), (path) => path.includes("proof"));

describe("a test of the core", () => {
  it("takes along what it imports and reads of the tests, and nothing else", () => {
    const { files, tests, leftOut } = partsWith({
      "test/unit/a.test.ts": 'import { world } from "#test/world.ts"; import a from "#lib/a.ts";',
      "test/world.ts": `readFileSync(new URL(\`rows/\${name}.json\`, import.meta.url), "utf8");`,
      "test/rows/old.json": null,
      "test/other.ts": "",
      "test/integration/b.test.ts": "",
      "test/unit/proof.test.ts": "",
    });
    expect(tests).toEqual(["test/unit/a.test.ts"]);
    expect(files.toSorted()).toEqual([
      "lib/a.ts",
      "lib/types.json",
      "test/rows/old.json",
      "test/unit/a.test.ts",
      "test/world.ts",
    ]);
    expect([...leftOut]).toEqual([]);
  });

  it.each([
    ["imports", 'import { page } from "#lib/authoring/page.ts";', "lib/authoring/page.ts"],
    [
      "imports a type of",
      'import type { Page } from "#lib/authoring/page.ts";',
      "lib/authoring/page.ts",
    ],
    ["imports late", 'await import("../../apps/cli/hearth.ts");', "apps/cli/hearth.ts"],
    ["reads", 'const page = new URL("../../pages/cli.md", import.meta.url);', "pages/cli.md"],
    ["reads a folder of", 'readdirSync(join(ROOT, "pages"));', "pages/cli.md"],
    ["starts", 'resolve(import.meta.dirname, "../../apps/cli/hearth.ts")', "apps/cli/hearth.ts"],
  ])("is none if it %s something optional, itself or through another file", (_, text, needed) => {
    const { tests, leftOut } = partsWith({
      "test/unit/a.test.ts": text,
      "test/unit/b.test.ts": 'import "./a.test.ts";',
    });
    expect(tests).toEqual([]);
    expect([...leftOut]).toEqual([
      ["test/unit/a.test.ts", needed],
      ["test/unit/b.test.ts", needed],
    ]);
  });

  it("may name places outside of the repository, and the repository as a whole", () => {
    const { tests } = partsWith({
      "test/unit/deep/a.test.ts":
        'resolve(import.meta.dirname, "../../../../shared"); new URL("../../..", import.meta.url);',
    });
    expect(tests).toEqual(["test/unit/deep/a.test.ts"]);
  });
});
