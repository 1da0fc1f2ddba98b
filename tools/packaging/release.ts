/**
 * `npm run release` writes the files of a release to `dist-release/`: two packages, the one file
 * for this platform, the SBOM, the changelog's section and checksums. It neither tags nor uploads.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "./bundle.ts";
import { changesOf } from "./changes.ts";
import { buildDist, NOTICES } from "./dist.ts";
import { buildProvider, PROVIDER } from "./provider.ts";
import { sbomOf } from "./sbom.ts";
import { buildSingle, nodeLicence, singleFileName } from "./single.ts";

const CHECKSUMS = "SHA256SUMS";
const { name, version } = manifest;
const folder = join(ROOT, "dist-release");

const changes = changesOf(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
writeFileSync(join(folder, "CHANGES.md"), changes);
const { packages } = await buildDist();
writeFileSync(join(folder, `${name}-${version}.cdx.json`), sbomOf(packages));
// The folder has just been built, so npm need not build it again.
const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
execFileSync("npm", pack, { cwd: ROOT, stdio: "ignore" });
await buildProvider();
execFileSync("npm", [...pack, PROVIDER], { cwd: ROOT, stdio: "ignore" });
await buildSingle(join(folder, singleFileName(version)));
// The one file cannot show the licences of its code, so they are placed beside it.
copyFileSync(join(ROOT, "dist", NOTICES), join(folder, NOTICES));
copyFileSync(nodeLicence(), join(folder, "NODE-LICENSE.txt"));

const files = readdirSync(folder).toSorted();
const sums = files.map((file) => {
  const bytes = readFileSync(join(folder, file));
  console.log(`${file}: ${bytes.length} bytes`);
  return `${createHash("sha256").update(bytes).digest("hex")}  ${file}\n`;
});
writeFileSync(join(folder, CHECKSUMS), sums.join(""));
