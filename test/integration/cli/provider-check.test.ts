import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPlugin } from "#host/plugins/load-plugin.ts";
import type { CaseResult } from "#provider/kit/check-provider.ts";
import { checkProvider } from "#provider/kit/check-provider.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { hearth } from "./hearth-process.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/provider/my-file.mjs", import.meta.url));
const LINES_MAX = 60;
const TYPE = "My::File";
const text = readFileSync(EXAMPLE, "utf8");

let folder: string;
beforeAll(() => {
  folder = freshFolder();
  mkdirSync(join(folder, "files"));
});
afterAll(() => removeFolder(folder));

const path = (name: string): string => join(folder, "files", name);

let variants = 0;
const variant = (...changes: readonly (readonly [string, string])[]): string => {
  variants += 1;
  const file = join(folder, `variant-${variants}.mjs`);
  const changed = changes.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`the example has no ${from}`);
    return now.replaceAll(from, to);
  }, text);
  writeFileSync(file, changed);
  return file;
};

const results = async (file: string, replacement = path("a")): Promise<readonly CaseResult[]> => {
  let loads = 0;
  return checkProvider({
    load: async () => {
      loads += 1;
      return (await loadPlugin(file, { query: `?test=${loads}` })).provider;
    },
    type: TYPE,
    properties: { path: path("a"), content: "one" },
    changed: { path: path("a"), content: "two" },
    replacement: { path: replacement, content: "new" },
    failing: { path: join(folder, "no-folder/a"), content: "" },
  });
};

const failed = async (
  file: string,
  replacement?: string,
): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await results(file, replacement))
      .filter(({ verdict }) => verdict === "failed")
      .map(({ name, text: why }) => [name, why]),
  );

const CREATE = "create: ({ properties }) => write(properties.path, properties.content),";
const UNIQUE = `create: ({ properties }) =>
        write(properties.path + "-" + Math.random(), properties.content),`;
/** This variant remembers only in its process what it has made. */
const REMEMBERING = `create: async ({ token, properties }) => {
        made.set(token, made.get(token) ?? properties.path + "-" + Math.random());
        return write(made.get(token), properties.content);
      },`;

describe("the example", () => {
  it("is one file of less than sixty lines that imports nothing of Hearth", () => {
    expect(text.split("\n").length).toBeLessThan(LINES_MAX);
    expect(text).not.toMatch(/^import .*(hearth|\.\.)/m);
  });

  it("keeps each promise, and leaves nothing behind", async () => {
    for (const replacement of [path("a"), path("b")]) {
      const played = await results(variant(), replacement);
      expect(played.filter(({ verdict }) => verdict !== "passed").map(({ name }) => name)).toEqual([
        "cancel",
        "repair",
        "suspend and resume",
        "suspend of what is gone",
        "snapshot",
      ]);
      expect(played.length).toBe(15);
    }
    expect(readdirSync(join(folder, "files"))).toEqual([]);
  });

  it("passes by the command line, which tells each case", async () => {
    const properties = JSON.stringify({ path: path("a") });
    const words = ["provider", "check", variant(), "--properties", properties];
    const { code, stdout, stderr } = await hearth("", ...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^pass {2}crash after the effect: .*$/m);
    expect(stdout).toMatch(/^- {5}failure: no properties were given/m);
    expect(stdout).toMatch(/My::File: 9 passed, 0 failed, 6 not played\n$/);
  });
});

describe("a broken variant fails exactly the cases whose promise it breaks", () => {
  it("if it makes another object for a repeated token", async () => {
    expect(Object.keys(await failed(variant([CREATE, UNIQUE])))).toEqual([
      "crash after the effect",
      "duplicate token",
      "slow",
    ]);
  });

  it("if it forgets tokens when its process ends", async () => {
    const file = variant(
      [CREATE, REMEMBERING],
      ["const orGone", "const made = new Map();\nconst orGone"],
    );
    expect(await failed(file)).toEqual({
      "crash after the effect": expect.stringMatching(/^there are 2 objects instead of 1: /),
    });
  });

  it("if a delete of the old resource removes the new object", async () => {
    const file = variant([
      "await rm(physicalId, { force: true });",
      `const folder = dirname(physicalId);
        for (const name of await readdir(folder))
          if (join(folder, name).startsWith(physicalId)) await rm(join(folder, name));`,
    ]);
    expect(await failed(file, path("a2"))).toEqual({
      replacement: "there are 0 objects instead of 1: none",
    });
  });

  it("if it forgets errors", async () => {
    const file = variant([
      "await writeFile(path, content);",
      "await writeFile(path, content).catch(() => undefined);",
    ]);
    expect(await failed(file)).toEqual({ failure: "create ended with finished" });
  });

  it("if it does not see that an object is gone", async () => {
    const file = variant([
      'if (error.code === "ENOENT") return { state: "gone" };',
      'if (error.code === "ENOENT") return { state: "finished" };',
    ]);
    expect(await failed(file)).toEqual({
      "delete of what is gone": "check finds an object that is gone",
      garbage: "check finds an object that never was",
    });
  });

  it("if a second delete fails", async () => {
    const file = variant(["{ force: true }", "{}"]);
    expect(Object.keys(await failed(file))).toEqual(["lost answer", "delete of what is gone"]);
  });

  it("if it answers garbage", async () => {
    const file = variant([
      'return { state: "finished", attributes: { size: length } };',
      "return { size: length };",
    ]);
    expect(await failed(file)).toEqual({
      life: expect.stringMatching(/^check gave an invalid answer: state: /),
      throttling: expect.stringMatching(/^check gave an invalid answer: state: /),
    });
  });

  it("if it fails when it is busy, instead of saying so", async () => {
    const busy = (answer: string): string =>
      variant(
        ["const orGone", "let calls = 0;\nconst orGone"],
        [
          "check: ({ physicalId }) =>\n        orGone(",
          `check: async ({ physicalId }) => {
        calls += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (calls > 5) {
          calls = 0;
          ${answer}
        }
        return orGone(`,
        ],
        [
          "attributes: { size: length } };\n        }),",
          "attributes: { size: length } };\n        });\n      },",
        ],
      );
    expect(await failed(busy('throw new Error("busy");'))).toEqual({
      throttling: "check did not succeed: failed: busy",
    });
    expect(await failed(busy('return { state: "throttled", afterSeconds: 0.05 };'))).toEqual({});
  });

  it("which the command line tells with the calls, and exit code 1", async () => {
    const properties = JSON.stringify({ path: path("a") });
    const file = variant([CREATE, UNIQUE]);
    const { code, stdout } = await hearth(
      "",
      "provider",
      "check",
      file,
      "--properties",
      properties,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}duplicate token: there are 2 objects instead of 1: /m);
    expect(stdout).toMatch(/^ {8}create kit-\S+\/CREATE\/1 -> finished /m);
  });
});

describe("the command line", () => {
  it.each([
    [["--properties", "{"], "--properties is not a JSON object"],
    [
      ["--properties", "{}", "--type", "My::Other"],
      "the provider has no type My::Other, only My::File",
    ],
    [["--properties", "{}"], "Property error: --properties: Property path not assigned"],
    [
      ["--properties", '{"path": "/a", "contents": "one"}'],
      "Property error: --properties: Unknown Property contents",
    ],
    [
      ["--properties", '{"path": "/a"}', "--failing", '{"path": "a"}'],
      'Property error: --failing.path: "a" does not match pattern "/.+"',
    ],
  ])("refuses %j", async (words, why) => {
    expect(await hearth("", "provider", "check", variant(), ...words)).toEqual({
      code: 2,
      stdout: "",
      stderr: `ERROR: ${why}\n`,
    });
  });

  it("refuses a change that would replace the resource", async () => {
    const words = ["--properties", '{"path": "/a"}', "--changed", '{"path": "/b"}'];
    const file = variant();
    expect(await hearth("", "provider", "check", file, ...words)).toEqual({
      code: 2,
      stdout: "",
      stderr: `ERROR: ${file}: changed.path: the property has no updateAllowed, so it must stay the same\n`,
    });
  });

  it("refuses a type whose objects nobody can count", async () => {
    const file = variant([
      text.slice(text.indexOf("      list:"), text.indexOf("    },\n  },\n};")),
      "",
    ]);
    const properties = JSON.stringify({ path: path("a") });
    const ended = await hearth("", "provider", "check", file, "--properties", properties);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      `ERROR: ${file}: My::File has no list, so nobody can count its objects\n`,
    ]);
  });
});
