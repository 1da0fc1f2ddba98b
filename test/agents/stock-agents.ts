/**
 * OpenStack's own agents, unmodified, from the Python package index in a private venv. They are
 * installed once per version and kept between runs. Each run checks that no file has changed.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

export const AGENTS_VERSION = "14.1.0";
export const AGENT_PACKAGES = {
  "os-collect-config": AGENTS_VERSION,
  "os-apply-config": AGENTS_VERSION,
  "os-refresh-config": AGENTS_VERSION,
} as const;

/** The hooks and the notifier exist only in this archive; installing it does not unpack them. */
const HOOKS_VERSION = "13.0.0";
const HOOKS_ARCHIVE = `heat_agents-${HOOKS_VERSION}.tar.gz`;
const HOOKS_SHA256 = "346099c6e9f16bd5e68913b825013acdd97b6743a1764ebcfc08d6528cefa9d6";

const INSTALL_MS_MAX = 300_000;

const run = promisify(execFile);

export interface StockAgents {
  readonly bin: string;
  readonly hooks: string;
  readonly filesCompared: number;
}

const homeOf = (venv: string): string => `${venv}-${AGENTS_VERSION}`;
const archiveIn = (home: string): string => join(home, HOOKS_ARCHIVE);

export const fetchStockAgents = async (venv: string): Promise<void> => {
  const home = homeOf(venv);
  if (!existsSync(archiveIn(home))) await install(home);
};

export const installStockAgents = async (venv: string, folder: string): Promise<StockAgents> => {
  await fetchStockAgents(venv);
  const home = homeOf(venv);
  const archive = archiveIn(home);
  const filesCompared = compareInstalled(home, AGENT_PACKAGES);
  if (sha256(archive, "hex") !== HOOKS_SHA256) throw new Error(`${HOOKS_ARCHIVE} was changed`);
  const hooks = join(folder, "heat-agents");
  mkdirSync(hooks);
  await run("tar", ["-xzf", archive, "-C", hooks, "--strip-components=1"]);
  return { bin: join(home, "bin"), hooks, filesCompared };
};

/** The archive is fetched last, so that an interrupted installation is repeated. */
const install = async (home: string): Promise<void> => {
  const options = { timeout: INSTALL_MS_MAX };
  await run("python3", ["-m", "venv", home], options);
  const pip = join(home, "bin", "pip");
  const pinned = Object.entries(AGENT_PACKAGES).map(([name, version]) => `${name}==${version}`);
  await run(pip, ["install", "--quiet", ...pinned], options);
  const source = ["--no-deps", "--no-binary", ":all:", "--dest", home];
  await run(pip, ["download", "--quiet", ...source, `heat-agents==${HOOKS_VERSION}`], options);
};

const sha256 = (path: string, encoding: "hex" | "base64url"): string =>
  createHash("sha256").update(readFileSync(path)).digest(encoding);

/**
 * Throws if a file of these packages has changed in the venv. pip's RECORD has one line per file:
 * path, hash and size. Compiled files have no hash.
 */
export const compareInstalled = (
  home: string,
  versions: Readonly<Record<string, string>>,
): number => {
  const packages = sitePackages(home);
  const changed: string[] = [];
  let compared = 0;
  for (const [name, version] of Object.entries(versions)) {
    const record = `${name.replaceAll("-", "_")}-${version}.dist-info/RECORD`;
    for (const line of readFileSync(join(packages, record), "utf8").split("\n")) {
      const [, path, hash] = /^(.+),sha256=([^,]+),\d+\r?$/.exec(line) ?? [];
      if (path === undefined || hash === undefined) continue;
      compared += 1;
      if (sha256(join(packages, path), "base64url") !== hash) changed.push(path);
    }
  }
  if (changed.length > 0)
    throw new Error(`changed since they were installed: ${changed.join(", ")}`);
  if (compared === 0) throw new Error("the packages recorded no files");
  return compared;
};

const sitePackages = (home: string): string => {
  const lib = join(home, "lib");
  const [python] = readdirSync(lib).filter((name) => name.startsWith("python"));
  if (python === undefined) throw new Error(`${lib} has no Python`);
  return join(lib, python, "site-packages");
};
