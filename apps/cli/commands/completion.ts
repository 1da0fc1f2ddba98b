import type { Argument, Command, Option } from "commander";
import { StacksAnswer } from "#client/wire.ts";
import type { TreeFor } from "../command-groups.ts";
import { type Declaration, declare, locally, NO_OPTIONS } from "../declaration.ts";
import { oneLine, writeLines } from "../print.ts";
import { openSession } from "../session.ts";

const NAMES_MS_MAX = 1_000;
const NAMES_MAX = 1_000;

export const addCompletionCommands = (program: Command, treeFor: TreeFor): void => {
  const completion = program.command("completion");
  declare(completion, ...SHELLS.map(scriptFor));
  completion
    .command("candidates [words...]", { hidden: true })
    .summary("what may stand in place of the last word")
    .action((words: readonly string[], _options: unknown, command: Command) =>
      candidates(words, command, treeFor),
    );
};

const scriptFor = (shell: Shell): Declaration => ({
  usage: shell,
  summary: `print the script for ${shell}`,
  action: locally(NO_OPTIONS, () => writeLines([SCRIPTS[shell].trimEnd()])),
});

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

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const BASH = `# Completion of hearth for bash: source <(hearth completion bash)
_hearth() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(hearth completion candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _hearth hearth
`;

const ZSH = `#compdef hearth
# Completion of hearth for zsh: source <(hearth completion zsh)
_hearth() {
  local line
  local -a described
  while IFS= read -r line; do
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(hearth completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#described} )); then
    _describe -t words hearth described
  else
    _files
  fi
}
compdef _hearth hearth
`;

const FISH = `# Completion of hearth for fish: hearth completion fish | source
function __hearth_candidates
  set -l last (commandline -ct)
  set -l words (commandline -opc) "$last"
  set -l found (hearth completion candidates -- $words[2..] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c hearth -f -a '(__hearth_candidates)'
`;

/**
 * Each script asks `hearth completion candidates`, so it is never older than the commands. Each
 * line of an answer is a word, a tab and a description. If there is no line, the shell completes
 * file names.
 */
const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
