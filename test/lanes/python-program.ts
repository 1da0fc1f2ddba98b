/** A program from the Python package index, in a venv of its own that is kept between runs. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const INSTALL_MS_MAX = 600_000;
const run = promisify(execFile);

export const pythonProgram = async (
  folder: string,
  requirement: string,
  name: string,
): Promise<string> => {
  const program = join(folder, "bin", name);
  if (existsSync(program)) return program;
  await run("python3", ["-m", "venv", folder], { timeout: INSTALL_MS_MAX });
  const pip = ["install", "--quiet", requirement];
  await run(join(folder, "bin", "pip"), pip, { timeout: INSTALL_MS_MAX });
  return program;
};
