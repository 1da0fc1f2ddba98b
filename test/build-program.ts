import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUILT } from "./hearth-program.ts";

const BUILD = fileURLToPath(new URL("../tools/packaging/build.ts", import.meta.url));
/**
 * The folder is in the repository, where the build finds the packages that a user of AWS installs.
 */
const DATA = fileURLToPath(new URL("../.data", import.meta.url));

let folder: string | null = null;

/** Every project that starts the command calls this, and the first call builds it. */
export const setup = (): void => {
  if (process.env[BUILT] !== undefined) return;
  mkdirSync(DATA, { recursive: true });
  folder = mkdtempSync(join(DATA, "program-"));
  try {
    execFileSync(process.execPath, [BUILD, folder], { stdio: ["ignore", "ignore", "inherit"] });
  } catch (error) {
    teardown();
    throw error;
  }
  process.env[BUILT] = join(folder, "hearth.js");
};

export const teardown = (): void => {
  if (folder !== null) rmSync(folder, { recursive: true });
};
