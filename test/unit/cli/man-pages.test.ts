import type { Command } from "commander";
import { beforeAll, describe, expect, it } from "vitest";
import { wholeProgram } from "../../../apps/cli/program.ts";
import manifest from "../../../package.json" with { type: "json" };
import { manPages } from "../../../tools/packaging/man-pages.ts";

let program: Command;
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  program = await wholeProgram();
  pages = new Map(manPages(program).map(({ name, text }) => [name, text]));
});

const seen = (text: string): string =>
  text
    .replace(/^\.\w+ ?/gm, "")
    .replace(/\\\[u([0-9A-F]+)\]/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\f[BIR]|\\&/g, "")
    .replaceAll("\\-", "-")
    .replaceAll("\\e", "\\");

const topOf = (command: Command): Command =>
  command.parent === null || command.parent === program ? command : topOf(command.parent);

const pageOf = (command: Command): string => {
  const name = command === program ? "hearth.1" : `hearth-${topOf(command).name()}.1`;
  return seen(pages.get(name) ?? "");
};

const all = (command: Command): readonly Command[] => {
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((one) => one.name() !== "help");
  return [command, ...below.flatMap(all)];
};

describe("the manual pages", () => {
  it("are those that the package names", () => {
    expect([...pages.keys()].map((name) => `dist/man/${name}`)).toEqual(manifest.man);
  });

  it("have each command with its usage, what it does, and each option", () => {
    const commands = all(program);
    expect(commands.length).toBeGreaterThan(50);
    for (const command of commands) {
      const help = command.createHelp();
      const text = pageOf(command);
      if (command.commands.length === 0) {
        expect(text).toContain(`${help.commandUsage(command)}\n`);
        expect(text).toContain(`${help.commandDescription(command)}\n`);
      }
      for (const option of help.visibleOptions(command)) {
        if (option.long === "--help") continue;
        const told = `${help.optionTerm(option)}\n${help.optionDescription(option)}\n`;
        expect(text, command.name()).toContain(told);
      }
    }
  });

  it("are ASCII, and no text is taken for a request", () => {
    for (const [name, text] of pages) {
      expect(text, name).toMatch(/^\p{ASCII}+$/u);
      const requests = new Set(text.match(/^[.'][^ \n]*/gm));
      const allowed = [".TH", ".SH", ".SS", ".TP", ".PP"];
      expect(
        [...requests].filter((one) => !allowed.includes(one)),
        name,
      ).toEqual([]);
    }
  });
});
