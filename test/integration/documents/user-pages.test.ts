/**
 * The pages for new users. Files are written as they are shown, and commands run one after another,
 * on a separate host for each page. Only `sh` blocks are not run here, and the table says what runs
 * them.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsOf } from "./console-commands.ts";
import { blocksOf, fileNameOf } from "./document-blocks.ts";
import { type PageHost, startPageHost } from "./page-host.ts";
import { isAsPrinted } from "./printed.ts";

/** The beginnings of a page's blocks that another lane plays, in their order, and the lane. */
const ELSEWHERE: Readonly<Record<string, readonly (readonly [begin: string, lane: string])[]>> = {
  start: [
    ["npm install", "npm run lane -- start"],
    ["hearth serve", "npm run lane -- start"],
    ["export HEARTH_TOKEN", "npm run lane -- start"],
    ["hearth serve", "npm run lane -- start"],
    ["export HEARTH_ENDPOINT", "npm run lane -- start"],
    ["hearth stack delete", "npm run lane -- start"],
  ],
  tutorial: [],
  moving: [],
};
const PAGE_MS_MAX = 240_000;
const DRAWINGS: readonly string[] = ["mermaid"];
const NOT_OURS: readonly string[] = ["hcl"];

describe.each(Object.entries(ELSEWHERE))("docs/%s.md", (name, elsewhere) => {
  const page = new URL(`../../../docs/${name}.md`, import.meta.url);
  const blocks = blocksOf(readFileSync(page, "utf8"));
  const files = new Map(
    blocks.flatMap((block) => {
      const file = fileNameOf(block);
      return file === null ? [] : [[file, `${block.text}\n`] as const];
    }),
  );
  const commands = blocks
    .filter(({ language }) => language === "console")
    .flatMap((block) =>
      commandsOf(block, null).map((command) => ({ ...command, line: block.line })),
    );
  let host: PageHost;

  beforeAll(async () => {
    host = await startPageHost(files);
  });
  afterAll(() => host.stop());

  it("has no block that nothing plays", () => {
    const left = blocks.filter(
      ({ language, text }) =>
        language !== "console" &&
        fileNameOf({ language, text, line: 0, chapter: "" }) === null &&
        ![...DRAWINGS, ...NOT_OURS].includes(language),
    );
    const begins = elsewhere.map(([begin]) => begin);
    expect(left.map(({ text }, at) => text.slice(0, begins[at]?.length))).toEqual(begins);
    expect(commands.length).toBeGreaterThan(3);
  });

  it("prints what it says, command by command", { timeout: PAGE_MS_MAX }, async () => {
    for (const { text, printed, line } of commands) {
      const ended = await host.run(text);
      const ok = ended.code === 0 && isAsPrinted(printed, ended.printed);
      if (!ok) expect({ line, text, ...ended }).toEqual({ line, text, code: 0, printed });
    }
  });
});
