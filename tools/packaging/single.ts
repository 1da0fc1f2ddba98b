/**
 * Makes `hearth` one executable file for this platform: Node with the command inside (ADR 26). It
 * runs without any other installation.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundleSingle, ROOT } from "./bundle.ts";

/**
 * Node searches its own file for this mark, which its documentation of single executables defines.
 */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const SECTION = "NODE_SEA_BLOB";

export const singleFileName = (version: string): string =>
  `hearth-${version}-${process.platform}-${process.arch}`;

/** Beside `bin` in an installation of Node, and inside the npm package `node`. */
const LICENCES = ["LICENSE", `node_modules/node-${process.platform}-${process.arch}/LICENSE`];

export const nodeLicence = (): string => {
  const root = join(dirname(process.execPath), "..");
  const path = LICENCES.map((file) => join(root, file)).find(existsSync);
  if (path === undefined) throw new Error(`${root} has no licence of Node: run npm ci`);
  return path;
};

/**
 * The Node that runs this function becomes part of the file. On macOS the file must be signed
 * again.
 */
export const buildSingle = async (file: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-single-"));
  try {
    await bundleSingle(folder);
    const [blob, config] = [join(folder, "blob"), join(folder, "sea.json")];
    const main = join(folder, "hearth.js");
    writeFileSync(
      config,
      JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true }),
    );
    execFileSync(process.execPath, ["--experimental-sea-config", config], { stdio: "ignore" });
    copyFileSync(process.execPath, file);
    chmodSync(file, 0o755);
    const postject = join(ROOT, "node_modules/postject/dist/cli.js");
    const words = [postject, file, SECTION, blob, "--sentinel-fuse", FUSE];
    const macho = process.platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
    execFileSync(process.execPath, [...words, ...macho], { stdio: "ignore" });
  } finally {
    rmSync(folder, { recursive: true });
  }
};
