/**
 * Plays docs/templates.md. `yaml` blocks with a name in their first line are files, the others are
 * fragments of the template above them. The commands of `console` blocks run in a folder with the
 * files.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import { jsonText } from "#lib/template/python-text.ts";
import { commandsOf } from "./console-commands.ts";
import { type Block, blocksOf, fileNameOf } from "./document-blocks.ts";
import { filesNamedIn, frameOf, templateWith } from "./page-examples.ts";
import { type Made, type PageHost, startPageHost } from "./page-host.ts";
import { type Example, type Expected, fragmentsOf } from "./template-examples.ts";
import { changesInTable, documentedChanges, functionNames } from "./version-table.ts";

const PAGE = new URL("../../../docs/templates.md", import.meta.url);
const ERROR = /^ERROR: /m;

const page = readFileSync(PAGE, "utf8");
const blocks = blocksOf(page);
const files = new Map(
  blocks.flatMap((block) => {
    const name = fileNameOf(block);
    return name === null ? [] : [[name, `${block.text}\n`] as const];
  }),
);
const isFragment = (block: Block) => block.language === "yaml" && fileNameOf(block) === null;
const fragments = blocks.filter(isFragment);
const consoles = blocks.filter(({ language }) => language === "console");
const drawingBelow = (block: Block): Block | null => {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === "mermaid" ? next : null;
};

const titleOf = ({ line, chapter }: Block): string => `line ${line}, ${chapter}`;
const titled = (some: readonly Block[]) => some.map((block) => ({ title: titleOf(block), block }));

/** Values are compared as texts, because 1 and 1.0 are different here. */
const exactText = (value: Json): string => jsonText(value, { sortKeys: false });

const shown = (expected: Expected): unknown =>
  "gives" in expected ? { gives: exactText(expected.gives) } : expected;

const came = (made: Made, name: string): unknown => {
  if ("refused" in made) return made;
  const output = made.outputs.get(name);
  if (output === undefined) return { missing: name };
  return output.error === null ? { gives: exactText(output.value) } : { error: output.error };
};

const isRefused = ({ expected }: Example) => expected !== null && "refused" in expected;

describe("docs/templates.md", () => {
  let host: PageHost;
  beforeAll(async () => {
    host = await startPageHost(files);
  });
  afterAll(() => host.stop());

  it("has no block that nothing executes", () => {
    const drawings = consoles.flatMap((block) => drawingBelow(block) ?? []);
    const executed = new Set([...fragments, ...consoles, ...drawings]);
    const frames = new Set(fragments.map((fragment) => frameOf(blocks, fragment).block));
    const isUsed = (block: Block): boolean => {
      const name = fileNameOf(block);
      if (name === null || frames.has(block)) return name !== null || executed.has(block);
      return blocks.some((one) => one !== block && one.text.includes(name));
    };
    expect(blocks.filter((block) => !isUsed(block)).map(titleOf)).toEqual([]);
    expect(blocks.flatMap((block) => fileNameOf(block) ?? [])).toEqual([...files.keys()]);
    expect(fragments.length).toBeGreaterThan(25);
    expect(consoles.length).toBeGreaterThan(8);
  });

  it("has an example of each function", () => {
    const text = blocks.map((block) => block.text).join("\n");
    const absent = functionNames().filter((name) => !new RegExp(`\\b${name}"?:`).test(text));
    expect(absent).toEqual([]);
  });

  it("has the versions with what the functions of each are", () => {
    expect(changesInTable(page)).toEqual(documentedChanges());
  });

  it.each(titled(fragments))("gives what it says: $title", async ({ block }) => {
    const { template: frame } = frameOf(blocks, block);
    const parts = fragmentsOf(block);
    const examples = parts.flatMap((part) => part.examples);
    const good = examples.filter((example) => !isRefused(example));
    const unstated = good.filter(({ expected }) => expected === null);
    const make = (taken: readonly Example[]): Promise<Made> => {
      const template = templateWith(frame, parts, new Set(taken));
      return host.make(template, Object.fromEntries(filesNamedIn(files, template)));
    };
    const together = await make(good);
    const said: [string, unknown][] = [];
    const happened: [string, unknown][] = [];
    for (const example of examples) {
      const { name, expected } = example;
      if (expected === null) continue;
      // An example that is refused makes its whole template invalid, so it gets one of its own.
      const made = isRefused(example) ? await make([...unstated, example]) : together;
      said.push([name, shown(expected)]);
      happened.push([name, came(made, name)]);
    }
    expect(happened).toEqual(said);
  });

  it.each(titled(consoles))("prints what it says: $title", async ({ block }) => {
    for (const { text, printed } of commandsOf(block, drawingBelow(block))) {
      const code = ERROR.test(printed) ? 1 : 0;
      expect({ text, ...(await host.run(text)) }).toEqual({ text, printed, code });
    }
  });
});
