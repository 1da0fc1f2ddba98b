/**
 * `npm run build` writes `dist/`: the `hearth` command as JavaScript, and the licences of what it
 * contains.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages, bundleFolder, ROOT } from "./bundle.ts";
import { noticesOf } from "./notices.ts";

const dist = join(ROOT, "dist");
rmSync(dist, { recursive: true, force: true });
const metafile = await bundleFolder(dist);
const packages = bundledPackages(metafile);
writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), noticesOf(packages));
const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
console.log(`dist: ${bytes} bytes of JavaScript, with code of ${packages.length} packages`);
