import type { Command } from "commander";
import { StacksAnswer } from "#client/wire.ts";
import type { TreeFor } from "../command-groups.ts";
import { candidatesFor } from "../completion/candidates.ts";
import { SCRIPTS, type Shell } from "../completion/scripts.ts";
import { oneLine, writeLines } from "../print.ts";
import { openSession } from "../session.ts";

const NAMES_MS_MAX = 1_000;
const NAMES_MAX = 1_000;

export const addCompletionCommands = (program: Command, treeFor: TreeFor): void => {
  const completion = program.command("completion");
  add(completion, "bash");
  add(completion, "zsh");
  add(completion, "fish");
  completion
    .command("candidates [words...]", { hidden: true })
    .summary("what may stand in place of the last word")
    .action((words: readonly string[], _options: unknown, command: Command) =>
      candidates(words, command, treeFor),
    );
};

const add = (completion: Command, shell: Shell): void => {
  completion
    .command(shell)
    .summary(`print the script for ${shell}`)
    .action(() => writeLines([SCRIPTS[shell].trimEnd()]));
};

const candidates = async (
  words: readonly string[],
  command: Command,
  treeFor: TreeFor,
): Promise<void> => {
  let isLate = false;
  const names = async (): Promise<readonly string[]> => {
    const late = new Promise<null>((resolve) => setTimeout(resolve, NAMES_MS_MAX, null).unref());
    const found = await Promise.race([namesOf(command), late]);
    isLate = found === null;
    return found ?? [];
  };
  const found = await candidatesFor(words, treeFor, names);
  writeLines(found.map(({ word, description }) => `${word}\t${oneLine(description)}`));
  // The process would otherwise wait for the request, for up to half a minute.
  if (isLate) process.exit(0);
};

const namesOf = async (command: Command): Promise<readonly string[]> => {
  try {
    const path = `/stacks?limit=${NAMES_MAX}`;
    const { stacks } = await openSession(command).client.request("GET", path, StacksAnswer);
    return stacks.map(({ stack_name }) => stack_name).toSorted();
  } catch {
    return [];
  }
};
