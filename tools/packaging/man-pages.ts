/** Manual pages, generated from the command tree like the help. */
import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import {
  commandsOf,
  EXIT_CODES,
  isGroup,
  leaves,
  optionsOf,
  pathOf,
  usageOf,
} from "./command-tree.ts";

export interface ManPage {
  readonly name: string;
  readonly text: string;
}

const codeOf = (letter: string): string =>
  (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** A dot or quote at the start of a line would be a request of roff, and a hyphen a soft one. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&")
    .replace(/[^\p{ASCII}]/gu, (letter) => `\\[u${codeOf(letter)}]`);

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`;

const paragraph = (term: string, text: string): readonly string[] => [".TP", term, escaped(text)];

const pageName = (command: Command): string => pathOf(command).replaceAll(" ", "-");

const optionLines = (command: Command): readonly string[] => {
  const help = command.createHelp();
  return optionsOf(command).flatMap((option) =>
    paragraph(bold(help.optionTerm(option)), help.optionDescription(option)),
  );
};

const leafLines = (leaf: Command): readonly string[] => [
  `.SS ${escaped(pathOf(leaf))}`,
  bold(usageOf(leaf)),
  ".PP",
  escaped(leaf.description()),
  ...optionLines(leaf),
];

const pageText = (command: Command, summary: string, body: readonly string[]): string => {
  const title = pageName(command).toUpperCase();
  return `${[
    `.TH ${escaped(title)} 1 "" "hearth ${manifest.version}" "Hearth"`,
    ".SH NAME",
    `${escaped(pageName(command))} \\- ${escaped(summary)}`,
    ".SH SYNOPSIS",
    bold(usageOf(command)),
    ...body,
  ].join("\n")}\n`;
};

const groupPage = (command: Command): ManPage => {
  const body = isGroup(command)
    ? [".SH COMMANDS", ...leaves(command).flatMap(leafLines)]
    : [".SH DESCRIPTION", escaped(command.description()), ".SH OPTIONS", ...optionLines(command)];
  const seeAlso = [
    ".SH SEE ALSO",
    `${bold("hearth")}(1) has the options, variables and exit codes of all commands.`,
  ];
  return {
    name: `${pageName(command)}.1`,
    text: pageText(command, command.summary(), [...body, ...seeAlso]),
  };
};

const mainPage = (program: Command, groups: readonly Command[]): ManPage => {
  const variables = optionsOf(program).flatMap(({ envVar, long = "" }) =>
    envVar === undefined ? [] : paragraph(bold(envVar), `in place of ${long}`),
  );
  const body = [
    ".SH DESCRIPTION",
    escaped(program.description()),
    ".SH COMMANDS",
    ...groups.flatMap((one) => paragraph(`${bold(pageName(one))}(1)`, one.summary())),
    ".SH OPTIONS",
    "All commands take these.",
    ...optionLines(program),
    ".SH ENVIRONMENT",
    ...variables,
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(([code, meaning]) => paragraph(bold(String(code)), meaning)),
  ];
  return {
    name: "hearth.1",
    text: pageText(program, "stacks of resources from HOT templates", body),
  };
};

export const manPages = (program: Command): readonly ManPage[] => {
  const groups = commandsOf(program);
  return [mainPage(program, groups), ...groups.map(groupPage)];
};
