import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type ProgramEnd, runProgram } from "../aws/run-program.ts";
import type { Rig } from "./rig.ts";

const run = promisify(execFile);
const CLI = fileURLToPath(new URL("../../apps/cli/hearth.ts", import.meta.url));
const COMMAND_MS_MAX = 60_000;

const globalOptions = ({ connection }: Rig): readonly string[] => {
  const { endpoint, project, token } = connection;
  const credentials = token === undefined ? [] : ["--token", token];
  return ["--endpoint", endpoint, "--project", project, ...credentials];
};

export const hearth = (rig: Rig, ...words: readonly string[]): Promise<ProgramEnd> =>
  runProgram(CLI, [...globalOptions(rig), ...words], {}, COMMAND_MS_MAX);

export interface Bootstrapped {
  readonly stack: string;
  readonly server?: string | undefined;
  readonly agent?: "hearth" | "stock" | undefined;
}

export const bootstrap = async (
  rig: Rig,
  format: "line" | "script",
  { stack, server, agent = "hearth" }: Bootstrapped,
): Promise<string> => {
  const place = server === undefined ? [stack] : [stack, server];
  const options = ["--agent", agent, "--format", format, "--local"];
  const words = ["server", "bootstrap", ...place, ...options];
  const { stdout } = await run(process.execPath, [CLI, ...globalOptions(rig), ...words]);
  return stdout;
};
