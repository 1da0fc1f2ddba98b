/**
 * Runs every tool but `script`: a program of that name in the hooks folder. The contract is the
 * stock agents': the document's entry as JSON on standard input, the signal's body as JSON on
 * standard output.
 */
import { accessSync, constants, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "./document.ts";
import { type Fields, failureCode, jsonText, parseFields, textOf } from "./json.ts";
import { printed, type RunPlace, runProcess } from "./run-process.ts";
import type { Outcome } from "./signal.ts";

/** A longer output cannot be a result and is treated as plain text. */
const RESULT_BYTES_MAX = 16_777_216;
const RESULT_KEYS = ["deploy_stdout", "deploy_stderr", "deploy_status_code"];

/**
 * As in the stock agents, a name loses all characters but letters, digits, hyphens and underscores.
 */
export const findHook = (folder: string | null, tool: string): string | null => {
  const name = tool.replaceAll(/[^\p{L}\p{N}_-]/gu, "");
  if (folder === null || name === "") return null;
  const path = join(folder, name);
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
};

export const hookNames = (folder: string | null): readonly string[] => {
  if (folder === null) return [];
  try {
    return readdirSync(folder)
      .filter((name) => findHook(folder, name) === join(folder, name))
      .toSorted();
  } catch {
    return [];
  }
};

export const runHook = async (
  { id, entry }: Deployment,
  hook: { readonly path: string; readonly tool: string; readonly config: unknown },
  place: RunPlace,
): Promise<Outcome | null> => {
  const stdin = join(place.root, "scripts", `${id}.json`);
  try {
    const given = { ...entry, group: hook.tool, config: hook.config };
    writeFileSync(stdin, jsonText(given), { mode: 0o600 });
    const exitCode = await runProcess({ id, path: hook.path, stdin }, place);
    if (place.stop.aborted) return null;
    return outcomeOf(exitCode, printed(place.root, id, RESULT_BYTES_MAX));
  } catch (error) {
    const stderr = `The hook could not be run: ${failureCode(error)}`;
    return { exitCode: 1, stdout: "", stderr, outputs: {} };
  }
};

const outcomeOf = (exitCode: number, output: ReturnType<typeof printed>): Outcome => {
  const result = parseFields(output.stdout);
  if (result === null) return { exitCode, ...output, outputs: {} };
  const outputs = Object.entries(result).filter(([name]) => !RESULT_KEYS.includes(name));
  return {
    exitCode: codeOf(result, exitCode),
    stdout: textOf(result, "deploy_stdout"),
    stderr: textOf(result, "deploy_stderr"),
    outputs: Object.fromEntries(outputs),
  };
};

const codeOf = (result: Fields, exitCode: number): number => {
  const code = result["deploy_status_code"];
  if (code === undefined || code === null || code === "") return exitCode;
  const number = Number(code);
  return Number.isInteger(number) ? number : 1;
};
