import type { Command, Option } from "commander";
import {
  EXIT_CHANGES,
  EXIT_FAILED,
  EXIT_INTERRUPTED,
  EXIT_UNREAD,
} from "../../apps/cli/failure.ts";

export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [EXIT_FAILED, "failed; the reason is on standard error"],
  [EXIT_CHANGES, "wrong usage; with --detailed-exitcode also: there are changes"],
  [EXIT_INTERRUPTED, "interrupted with Ctrl-C; the operation goes on"],
  [EXIT_UNREAD, "the reader of its output has gone"],
];

export const isGroup = ({ commands }: Command): boolean => commands.length > 0;

export const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

export const optionsOf = (command: Command): readonly Option[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help");

export const commandsOf = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== "help");

export const leaves = (command: Command): readonly Command[] =>
  commandsOf(command).flatMap((one) => (isGroup(one) ? leaves(one) : [one]));

export const usageOf = (command: Command): string => command.createHelp().commandUsage(command);
