import { describe, expect, it } from "vitest";
import { brokenBy } from "./rule.ts";
import { parse, SYNTAX_RULES } from "./syntax-rules.ts";
import { TEXT_RULES } from "./text-rules.ts";

interface Samples {
  readonly path: string;
  readonly bad: readonly string[];
  readonly good: readonly string[];
}

const lines = (count: number, line = "run();"): string => `${line}\n`.repeat(count);
const functionOf = (count: number): string => `const f = () => {\n${lines(count - 2)}};\n`;

// Escapes keep the samples from being found when the rules read this file.
const TEXT_SAMPLES: Readonly<Record<string, Samples>> = {
  "a handler has at most 40 lines": {
    path: "functions/api/handler.ts",
    bad: [lines(41)],
    good: [lines(40)],
  },
  "the converger has at most 200 lines": {
    path: "lib/convergence/converger.ts",
    bad: [lines(201)],
    good: [lines(200)],
  },
  "no file has a mark for work left undone": {
    path: "lib/a.ts",
    bad: ["// \u0054ODO: later", "/* \u0046IXME */"],
    good: ["const todoList = [];"],
  },
  "no file has a licence block": {
    path: "lib/a.ts",
    bad: ["// \u0053PDX-License-Identifier: MIT", "/* \u0043opyright (c) 2020 */"],
    good: ["// Rights are the owner's."],
  },
  "no file has an emoji": {
    path: "README.md",
    bad: ["shipped \u{1f680}", "well \u2764\ufe0f"],
    good: ["a \u2192 b \u2264 c \u2713"],
  },
  "no file has a path of somebody's machine": {
    path: "docs/a.md",
    bad: ["see \u002fwork/main", '"\u002froot/x"'],
    good: ["the network\u002fwork/ folder", ".\u002fwork/main", "/var/lib/hearth"],
  },
  "no file has a registry's host": {
    path: "docs/a.md",
    bad: ["https://registry.\u006epmjs.org/zod"],
    good: ["https://www.npmjs.com/package/zod"],
  },
};

const PATH_SAMPLES = {
  "no file is called after nothing in particular": {
    bad: ["lib/utils/text.ts", "lib/stack-helpers.ts", "lib/common.ts", "cli/session.manager.ts"],
    good: ["lib/engine/stacks/find-stack.ts", "lib/commonality.ts"],
  },
  "no file is a barrel": { bad: ["lib/engine/index.ts"], good: ["docs/index.md"] },
} as const;

const SYNTAX_SAMPLES: Readonly<Record<string, Samples>> = {
  "a file has at most 400 lines of code": {
    path: "lib/long.ts",
    bad: [
      lines(401),
      functionOf(401),
      `const a = {\n${lines(1, "  b: () => run(),")}${lines(400, "  c,")}};\n`,
    ],
    good: [
      lines(400),
      `const a = {\n${lines(500, "  b,")}};\n`,
      `interface A {\n${lines(500, "  b: string;")}}\n`,
    ],
  },
  "no literal is spread into another one": {
    path: "lib/a.ts",
    bad: ["const a = { ...{ b, c }, d };", "run(...[b, c]);", "const a = [...[b], c];"],
    good: ["const a = { ...b, c };", "const a = { ...(b ? { c } : {}) };", "run(...b);"],
  },
  "a function has at most 70 lines": {
    path: "lib/a.ts",
    bad: [
      functionOf(71),
      `class A {\n  m() {\n${lines(70)}  }\n}\n`,
      `describe("x", () => {\nit("y", () => {\n${lines(70)}});\n});\n`,
      `const f = () => ({\n${lines(70, "  a: () => run(),")}});\n`,
    ],
    good: [
      functionOf(70),
      `const f = () => {\n  return {\n${lines(90, "    a,")}  };\n};\n`,
      `describe("x", () => {\n${'it("y", () => {\n  run();\n});\n'.repeat(40)}});\n`,
    ],
  },
  "no type is asserted but `as const`": {
    path: "lib/a.ts",
    bad: ["const a = b as string;", "const a = <string>b;", "const a = b as unknown as C;"],
    good: [
      "const a = [1] as const;",
      'import { b as c } from "./b.ts";',
      "const a = {} satisfies B;",
    ],
  },
  "nothing is declared to be there with `!`": {
    path: "lib/a.ts",
    bad: ["const a = b!.c;", "let a!: string;", "class A { b!: string }"],
    good: ["const a = !b;", "if (a !== b) c();"],
  },
  "nothing has the type any": {
    path: "lib/a.ts",
    bad: ["const a: any = 1;", "const f = (a: any[]) => a;", "type A = Record<string, any>;"],
    good: ['const a = "any";', "const any = 1; // any"],
  },
  "every test runs": {
    path: "test/unit/a.test.ts",
    bad: [
      'it.skip("x", run);',
      'describe.only("x", run);',
      'it.concurrent.only("x", run);',
      'it.skip.each([1])("x", run);',
      'it.each([1]).skip("x", run);',
      'test.todo("x");',
      'xit("x", run);',
    ],
    good: [
      'it("x", run);',
      'it.each([1])("x", run);',
      'describe.runIf(a)("x", run);',
      "a.skip(1);",
    ],
  },
  "no module is replaced by a mock": {
    path: "test/unit/a.test.ts",
    bad: ['vi.mock("./a.ts");', 'vi.doMock("./a.ts", make);'],
    good: ['const a = "vi.mock(";', "vi.fn();"],
  },
  "the core knows no clock, chance, timer, environment or network": {
    path: "lib/engine/a.ts",
    bad: [
      "const a = process.env.B;",
      "const { env } = process;",
      "const a = new Date();",
      "const a = Date();",
      "const a = Date.now();",
      "const now = Date.now;",
      "const a = Math.random();",
      "setTimeout(run, 1);",
      "await new Promise((done) => setTimeout(done, 1));",
      "const a = { wait: setImmediate };",
      "const a = performance.now();",
      "const a = () => fetch(url);",
      "if (fetch) run();",
      "run(...process);",
      "return process;",
      "const a = { process };",
    ],
    good: [
      "const a = new Date(b).toISOString();",
      "const a = Math.floor(1.5);",
      "const a = { process: 1 };",
      "a.fetch();",
      "// process.env",
      "interface A { process: string; fetch(): void }",
    ],
  },
  "the library prints nothing": {
    path: "lib/a.ts",
    bad: ["console.log(1);", "const a = console;", "run(console);"],
    good: ["// console.log(1)", "a.console();"],
  },
  "JSON is parsed by parseJson, which keeps numbers": {
    path: "host/a.ts",
    bad: ["JSON.parse(text);", "const parse = JSON.parse;", "const schema = z.json();"],
    good: ["parseJson(text);", "JSON.stringify(value);", '"JSON.parse"'],
  },
  "a map is made by mapOf, which keeps its order": {
    path: "lib/template/a.ts",
    bad: [
      "Object.fromEntries(entries);",
      "const make = Object.fromEntries;",
      "Object.assign({}, map);",
      "structuredClone(map);",
    ],
    good: ["mapOf(entries);", "mergedMaps(map, other);", "Object.entries(map);"],
  },
  "a record from users' names keeps each of them": {
    path: "lib/api/a.ts",
    bad: ["z.record(z.string(), z.string());", "const record = z.record;"],
    good: ["recordOf(z.string());", "a.record();"],
  },
  "nothing is exported as the default, but what a tool reads": {
    path: "lib/a.ts",
    bad: ["export default 1;", "export default function f() {}", "export { a as default };"],
    good: ["export const a = 1;", "switch (a) { default: run(); }"],
  },
  "a module exports only what is its own": {
    path: "lib/a.ts",
    bad: ['export * from "./b.ts";', 'export { b } from "./b.ts";', 'export * as b from "./b.ts";'],
    good: ["export { a };", "export const b = 1;"],
  },
};

describe("the rules", () => {
  it("all have a sample here", () => {
    expect(TEXT_RULES.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(TEXT_SAMPLES), ...Object.keys(PATH_SAMPLES)].toSorted(),
    );
    expect(SYNTAX_RULES.map(({ name }) => name).toSorted()).toEqual(
      Object.keys(SYNTAX_SAMPLES).toSorted(),
    );
  });

  it("apply to the core only if they are about the core", () => {
    const core = SYNTAX_RULES.find(({ name }) => name.startsWith("the core knows"));
    expect(core?.appliesTo("lib/template/parse/parse.ts")).toBe(true);
    expect(core?.appliesTo("lib/adapters/sqlite/queue.ts")).toBe(false);
    expect(core?.appliesTo("apps/cli/hearth.ts")).toBe(false);
  });
});

describe.each(TEXT_RULES)("the rule that $name", (rule) => {
  const samples = TEXT_SAMPLES[rule.name];
  const paths = Object.entries(PATH_SAMPLES).find(([name]) => name === rule.name)?.[1];

  it("catches what it is for, and nothing else", () => {
    for (const text of samples?.bad ?? [])
      expect(brokenBy(rule, [{ path: samples?.path ?? "", text }]), text).not.toEqual([]);
    for (const text of samples?.good ?? [])
      expect(brokenBy(rule, [{ path: samples?.path ?? "", text }]), text).toEqual([]);
    for (const path of paths?.bad ?? [])
      expect(brokenBy(rule, [{ path, text: "" }]), path).not.toEqual([]);
    for (const path of paths?.good ?? [])
      expect(brokenBy(rule, [{ path, text: "" }]), path).toEqual([]);
  });
});

describe.each(SYNTAX_RULES)("the rule that $name", (rule) => {
  const samples = SYNTAX_SAMPLES[rule.name];
  const check = (text: string) => brokenBy(rule, [parse(samples?.path ?? "", text)]);

  it("catches what it is for, and nothing else", () => {
    for (const text of samples?.bad ?? []) expect(check(text), text).not.toEqual([]);
    for (const text of samples?.good ?? []) expect(check(text), text).toEqual([]);
  });
});
