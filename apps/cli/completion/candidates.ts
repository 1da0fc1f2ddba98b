import type { Argument, Command, Option } from "commander";
import type { TreeFor } from "../command-groups.ts";

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

type Place =
  | { readonly kind: "option"; readonly command: Command }
  | { readonly kind: "value"; readonly option: Option }
  | { readonly kind: "word"; readonly command: Command; readonly argument: Argument | undefined };

/** `words` are the words after `hearth`. The last one is incomplete, and may be empty. */
export const candidatesFor = async (
  words: readonly string[],
  treeFor: TreeFor,
  stackNames: () => Promise<readonly string[]>,
): Promise<readonly Candidate[]> => {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const place = placeOf(await treeFor(before), before, last);
  const all = await candidatesAt(place, stackNames);
  return all.filter(({ word }) => word.startsWith(last));
};

const placeOf = (program: Command, before: readonly string[], last: string): Place => {
  let command = program;
  let operands = 0;
  let open: Option | undefined;
  for (const word of before) {
    if (open !== undefined) {
      open = undefined;
    } else if (word.startsWith("-")) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      open = option?.required === true ? option : undefined;
    } else {
      const sub = command.commands.find((one) => one.name() === word);
      if (sub === undefined) operands += 1;
      else [command, operands] = [sub, 0];
    }
  }
  if (open !== undefined) return { kind: "value", option: open };
  if (last.startsWith("-")) return { kind: "option", command };
  const { registeredArguments } = command;
  const at = registeredArguments[operands] ?? registeredArguments.findLast((one) => one.variadic);
  return { kind: "word", command, argument: at };
};

const optionsOf = (command: Command): readonly Option[] => {
  const { parent } = command;
  return [
    ...command.createHelp().visibleOptions(command),
    ...(parent === null ? [] : optionsOf(parent)),
  ];
};

const candidatesAt = async (
  place: Place,
  stackNames: () => Promise<readonly string[]>,
): Promise<readonly Candidate[]> => {
  switch (place.kind) {
    case "value":
      return plain(place.option.argChoices ?? []);
    case "option": {
      const named = optionsOf(place.command).map(({ long, short, description }) => ({
        word: long ?? short ?? "",
        description,
      }));
      return [...new Map(named.map((one) => [one.word, one])).values()];
    }
    case "word": {
      const { command, argument } = place;
      if (command.commands.length > 0) {
        const visible = command.createHelp().visibleCommands(command);
        return visible.map((one) => ({ word: one.name(), description: one.summary() }));
      }
      if (argument?.name() === "stack") return plain((await stackNames()).filter(isStackName));
      return plain(argument?.argChoices ?? []);
    }
  }
};

/** The shell runs what it completes, so nothing that a host sends may be more than a plain name. */
const isStackName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_.-]*$/.test(name);

const plain = (words: readonly string[]): readonly Candidate[] =>
  words.map((word) => ({ word, description: "" }));
