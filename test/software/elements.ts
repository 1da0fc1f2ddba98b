/**
 * The script that ends a refresh in images of OpenStack: it signals deployments of the group
 * os-apply-config, which has no hook. It is in an archive of the Python package index.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../package/run.ts";

const VERSION = "15.0.0";
const ARCHIVE = `tripleo-image-elements-${VERSION}.tar.gz`;
const SHA256 = "667c581c6a0fc193a475207cea24a4af8ddb2464929dc333e36391afcbd84e6b";
const SCRIPT = "elements/os-refresh-config/os-refresh-config/post-configure.d/99-refresh-completed";
const FETCH_MS_MAX = 120_000;

const must = async (cwd: string, program: string, words: readonly string[]): Promise<void> => {
  const { code, stderr } = await run(program, words, { cwd, msMax: FETCH_MS_MAX });
  if (code !== 0) throw new Error(`${program} ${words.join(" ")}: ${stderr}`);
};

export const refreshCompleted = async (data: string, folder: string): Promise<string> => {
  const archive = join(data, ARCHIVE);
  const source = ["--no-deps", "--no-binary", ":all:", "--dest", data];
  const package_ = `tripleo-image-elements==${VERSION}`;
  if (!existsSync(archive)) {
    await must(data, "python3", ["-m", "pip", "download", "--quiet", ...source, package_]);
  }
  const digest = createHash("sha256").update(readFileSync(archive)).digest("hex");
  if (digest !== SHA256) throw new Error(`${ARCHIVE} was changed`);
  const unpacked = join(folder, "elements");
  mkdirSync(unpacked);
  await must(folder, "tar", ["-xzf", archive, "-C", unpacked, "--strip-components=1"]);
  return join(unpacked, SCRIPT);
};
