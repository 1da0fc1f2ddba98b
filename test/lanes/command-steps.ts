import type { Result } from "../contract/spoilt-operations.ts";
import { runInShell } from "../integration/documents/page-shell.ts";
import type { PageShell } from "./page-commands.ts";

export interface CommandStep {
  /** Commands write their progress into the file `log`. */
  readonly command: string;
  /** Matches the exit code and, from the next line on, the output. */
  readonly wanted: RegExp;
}

const shortened = (command: string): string =>
  command.replaceAll(/\/\S*\//g, "").replaceAll(/ --parameter \S+/g, "");

export async function* playSteps(
  { folder, environment }: PageShell,
  steps: readonly CommandStep[],
): AsyncGenerator<Result, void, undefined> {
  const run = (command: string) => runInShell(folder, environment, command);
  for (const { command, wanted } of steps) {
    const { code, printed } = await run(command);
    const seen = `${code}\n${printed}`;
    const isWanted = wanted.test(seen);
    const wrong = isWanted ? [] : [seen, (await run("tail -n 5 log")).printed];
    yield { name: `a template: ${shortened(command)}`, wrong };
  }
}
