import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.ts";

/** The oldest Node that package.json allows, the newest of each supported line, and the newest. */
export const NODES = ["22.13.0", "22", "24", "latest"] as const;

const FOLDER = fileURLToPath(new URL("../../.data/nodes", import.meta.url));
const INSTALL_MS_MAX = 300_000;

export const installNode = async (version: string): Promise<string> => {
  const folder = join(FOLDER, version);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const name = `node-${process.platform}-${process.arch}`;
  const options = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock"];
  const install = ["install", `${name}@${version}`, ...options];
  const { code, stderr } = await run("npm", install, { cwd: folder, msMax: INSTALL_MS_MAX });
  if (code !== 0) throw new Error(`npm did not install ${name}@${version}: ${stderr}`);
  return join(folder, "node_modules", name, "bin");
};
