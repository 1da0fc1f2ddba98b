/** Builds the command before the tests that start it, and removes it after them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUILT } from "./hearth-program.ts";

const BUILD = fileURLToPath(new URL("../packaging/build.ts", import.meta.url));
/** In the repository, where the build finds the packages that a user of AWS installs. */
const DATA = fileURLToPath(new URL("../.data", import.meta.url));

mkdirSync(DATA, { recursive: true });
const folder = mkdtempSync(join(DATA, "program-"));

export const setup = (): void => {
  // Its own line goes to standard error too, and so does why it fails.
  execFileSync(process.execPath, [BUILD, folder], { stdio: ["ignore", "ignore", "inherit"] });
  process.env[BUILT] = join(folder, "hearth.js");
};

export const teardown = (): void => rmSync(folder, { recursive: true });
