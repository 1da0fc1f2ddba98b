/** Debian's packages by name. A new system has no lists of them, and old lists can be wrong. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../package/run.ts";

const APT_MS_MAX = 300_000;
/** Another apt may be running, for example after a boot. */
const APT = ["-o", "DPkg::Lock::Timeout=120"] as const;

const succeeds = async (cwd: string, words: readonly string[]): Promise<boolean> => {
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { cwd, environment, msMax: APT_MS_MAX };
  return run("apt-get", [...APT, ...words], options).then(
    ({ code }) => code === 0,
    () => false,
  );
};

const tryTwice = async (cwd: string, words: readonly string[]): Promise<boolean> =>
  (await succeeds(cwd, words)) ||
  ((await succeeds(cwd, ["update"])) && (await succeeds(cwd, words)));

export const installPackages = (...names: readonly string[]): Promise<boolean> =>
  tryTwice(tmpdir(), ["install", "-y", "--no-install-recommends", "--no-remove", ...names]);

export const unpackPackages = async (
  root: string,
  ...names: readonly string[]
): Promise<boolean> => {
  const place = mkdtempSync(join(tmpdir(), "hearth-packages-"));
  try {
    mkdirSync(join(place, "partial"));
    const installed = join(place, "installed");
    writeFileSync(installed, "");
    const options = [`Dir::State::status=${installed}`, `Dir::Cache::archives=${place}`];
    const words = ["install", "-y", "--no-install-recommends", "--download-only"];
    const given = options.flatMap((option) => ["-o", option]);
    if (!(await tryTwice(place, [...words, ...given, ...names]))) return false;
    for (const name of readdirSync(place).filter((one) => one.endsWith(".deb"))) {
      execFileSync("dpkg", ["--extract", join(place, name), root]);
    }
    return true;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};
