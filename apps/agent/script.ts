import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "./document.ts";
import { failureCode } from "./json.ts";
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
