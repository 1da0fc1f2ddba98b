/** Manual pages from the tree of commands, so that they say what the help says. */
import type { Command, Option } from "commander";
import { EXIT_CHANGES, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_UNREAD } from "../cli/failure.ts";
import manifest from "../package.json" with { type: "json" };

export interface ManPage {
  /** Such as `hearth-stack.1`. */
  readonly name: string;
  readonly text: string;
}

const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [EXIT_FAILED, "failed; the reason is on standard error"],
  [EXIT_CHANGES, "wrong usage; with --detailed-exitcode also: there are changes"],
  [EXIT_INTERRUPTED, "interrupted with Ctrl-C; the operation goes on"],
  [EXIT_UNREAD, "the reader of its output has gone"],
];

const codeOf = (letter: string): string =>
  (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

/** A dot or a quote at the start of a line would be a request, and a hyphen a soft one. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/gm, "\\&")
    .replace(/[^\p{ASCII}]/gu, (letter) => `\\[u${codeOf(letter)}]`);

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`;

const paragraph = (term: string, text: string): readonly string[] => [".TP", term, escaped(text)];

const isGroup = ({ commands }: Command): boolean => commands.length > 0;

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const pageName = (command: Command): string => pathOf(command).replaceAll(" ", "-");

/** Each page is help. */
const optionsOf = (command: Command): readonly Option[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help");

const optionLines = (command: Command): readonly string[] => {
  const help = command.createHelp();
  return optionsOf(command).flatMap((option) =>
    paragraph(bold(help.optionTerm(option)), help.optionDescription(option)),
  );
};

/** Those at the end of the branches, each with its words. */
const leaves = (command: Command): readonly Command[] => {
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== "help");
  return visible.flatMap((one) => (isGroup(one) ? leaves(one) : [one]));
};

const usageOf = (command: Command): string => command.createHelp().commandUsage(command);

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

/** Of the commands at the top that have commands below them, or stand alone. */
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

/** `program`: with all its commands. */
export const manPages = (program: Command): readonly ManPage[] => {
  const help = program.createHelp();
  const groups = help.visibleCommands(program).filter((one) => one.name() !== "help");
  return [mainPage(program, groups), ...groups.map(groupPage)];
};
