/**
 * Runs the tool of a config: the script itself, or for every other tool a program of that name in
 * the hooks folder. The contract of a hook is the stock agents': the document's entry as JSON on
 * standard input, the signal's body as JSON on standard output.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Deployment } from "./document.ts";
import { type Fields, failureCode, jsonText, parseFields, textOf } from "./json.ts";
import { outputsPath, printed, type RunPlace, readEnd, runProcess } from "./run-process.ts";
import type { Outcome } from "./signal.ts";
import { UPLOAD_BYTES_MAX } from "./upload.ts";

export const runScript = async (
  { id, inputs, outputs }: Deployment,
  script: string,
  place: RunPlace,
): Promise<Outcome | null> => {
  const path = join(place.root, "scripts", id);
  try {
    writeFileSync(path, script, { mode: 0o700 });
    // An existing file keeps its mode, and the umask may reduce the mode above.
    chmodSync(path, 0o700);
    const exitCode = await runProcess({ id, path, inputs: Object.fromEntries(inputs) }, place);
    return place.stop.aborted
      ? null
      : { exitCode, ...printed(place.root, id), outputs: readOutputs(place.root, id, outputs) };
  } catch (error) {
    const stderr = `The script could not be run: ${whyNotStarted(script, failureCode(error))}`;
    return { exitCode: 1, stdout: "", stderr, outputs: {} };
  }
};

const INTERPRETER = /^#![ \t]*([^ \t\n\0]+)/;

/** The script itself has just been written, so ENOENT means that another file is missing. */
const whyNotStarted = (script: string, code: string): string => {
  const interpreter = INTERPRETER.exec(script)?.[1];
  if (code === "ENOENT" && interpreter !== undefined) {
    if (interpreter.endsWith("\r"))
      return `its first line ends as on Windows, with CR LF (${code})`;
    // The interpreter exists, but its loader may be missing, as on another kind of system.
    return existsSync(interpreter)
      ? `its interpreter ${interpreter} cannot start here (${code})`
      : `its interpreter ${interpreter} is not on this server (${code})`;
  }
  return code;
};

/**
 * A declared output is the content of `$heat_outputs_path.NAME`. Without a file it is absent, as
 * with the stock hook.
 */
const readOutputs = (
  root: string,
  id: string,
  names: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names
      // One byte over the limit, so that the signal notices an output that does not fit.
      .map(
        (name) =>
          [name, readEnd(`${outputsPath(root, id)}.${name}`, UPLOAD_BYTES_MAX + 1)] as const,
      )
      .filter((entry): entry is readonly [string, string] => entry[1] !== null),
  );

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
