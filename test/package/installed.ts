import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type RunEnd, run } from "./run.ts";
import { terminalWith } from "./terminal.ts";

const OWN_SETTINGS = /Unknown (?:user|env) config/;
const INSTALL_MS_MAX = 300_000;

export interface Installed {
  /** Commands run here, outside the repository. */
  readonly folder: string;
  readonly packageFolder: string;
  readonly bytes: number;
  readonly warnings: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly hearth: (...words: readonly string[]) => Promise<RunEnd>;
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

export const installPackage = async (
  tarball: string,
  name: string,
  nodes: string,
  folder: string,
): Promise<Installed> => {
  const prefix = join(folder, "prefix");
  mkdirSync(join(folder, "home"), { recursive: true });
  const npm = process.env["npm_execpath"];
  if (npm === undefined) throw new Error("run this by npm run lane -- package");
  const terminal = terminalWith(join(prefix, "bin"), nodes);
  const quiet = ["--no-update-notifier", "--no-audit", "--no-fund"];
  const words = [npm, "install", "--global", ...quiet, "--prefix", prefix, tarball];
  const node = join(nodes, "node");
  const install = { cwd: folder, environment: terminal };
  const { code, stderr } = await run(node, words, { ...install, msMax: INSTALL_MS_MAX });
  if (code !== 0) throw new Error(`npm install failed: ${stderr}`);
  const warnings = stderr.split("\n").filter((line) => line !== "" && !OWN_SETTINGS.test(line));
  const installed = {
    folder,
    packageFolder: join(prefix, "lib/node_modules", name),
    bytes: bytesBelow(prefix),
    warnings,
  };
  return withEnvironment(installed, { PATH: terminal["PATH"], HOME: join(folder, "home") });
};

export const withEnvironment = (
  installed: Omit<Installed, "environment" | "hearth">,
  environment: NodeJS.ProcessEnv,
): Installed => ({
  ...installed,
  environment,
  hearth: (...words) => run("hearth", words, { cwd: installed.folder, environment }),
});
