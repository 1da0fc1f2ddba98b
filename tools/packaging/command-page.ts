/** The page of all commands, generated from the command tree like the help. */
import type { Command } from "commander";
import { EXAMPLES } from "../../apps/cli/declaration.ts";
import {
  commandsOf,
  EXIT_CODES,
  isGroup,
  leaves,
  optionsOf,
  pathOf,
  usageOf,
} from "./command-tree.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const table = (
  head: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): readonly string[] =>
  rows.length === 0
    ? []
    : [
        "",
        `| ${head.join(" | ")} |`,
        "| --- | --- |",
        ...rows.map(([term, text]) => `| ${cell(term)} | ${cell(text)} |`),
      ];

const optionTable = (command: Command): readonly string[] => {
  const help = command.createHelp();
  return table(
    ["option", "what"],
    optionsOf(command).map((option) => [
      `\`${help.optionTerm(option)}\``,
      help.optionDescription(option),
    ]),
  );
};

const section = (level: string, command: Command): readonly string[] => {
  const [text = "", examples] = command.description().split(EXAMPLES);
  return [
    "",
    `${level} ${pathOf(command)}`,
    "",
    text,
    "",
    `\`${usageOf(command)}\``,
    ...(examples === undefined ? [] : ["", "```sh", ...unindented(examples), "```"]),
    ...optionTable(command),
  ];
};

const unindented = (text: string): readonly string[] =>
  text.split("\n").map((line) => line.trimStart());

const groupSections = (command: Command): readonly string[] =>
  isGroup(command)
    ? ["", `## ${pathOf(command)}`, ...leaves(command).flatMap((leaf) => section("###", leaf))]
    : section("##", command);

export const commandPage = (program: Command): string => {
  const exits = EXIT_CODES.map(([code, meaning]) => [String(code), meaning] as const);
  return `${[
    "# Commands",
    "",
    "<!-- Made from the commands by `npm run docs -- reference`. Change those, and not this page. -->",
    "",
    "Each command with its options, as its `--help` tells them. [Using Hearth](../cli.md) says what they are for.",
    "",
    "## All commands",
    "",
    "They take these options too.",
    ...optionTable(program),
    ...table(["exit code", "meaning"], exits),
    ...commandsOf(program).flatMap(groupSections),
  ].join("\n")}\n`;
};
