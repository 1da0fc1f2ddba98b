/** Builds the command before the tests that start it, and removes it after them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUILT } from "./hearth-program.ts";

const BUILD = fileURLToPath(new URL("../tools/packaging/build.ts", import.meta.url));
/** In the repository, where the build finds the packages that a user of AWS installs. */
const DATA = fileURLToPath(new URL("../.data", import.meta.url));

let folder: string | null = null;

/** Each project that starts the command asks. The first one builds it. */
export const setup = (): void => {
  if (process.env[BUILT] !== undefined) return;
  mkdirSync(DATA, { recursive: true });
  folder = mkdtempSync(join(DATA, "program-"));
  try {
    // Its own line goes to standard error too, and so does why it fails.
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
