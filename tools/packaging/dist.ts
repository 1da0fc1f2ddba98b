import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wholeProgram } from "../../apps/cli/program.ts";
import { bundleFolder, ROOT } from "./bundle.ts";
import { manPages } from "./man-pages.ts";
import { noticesOf } from "./notices.ts";
import { type BundledPackage, bundledPackages } from "./packages.ts";
import { builtWeb } from "./web.ts";

export const NOTICES = "THIRD-PARTY-NOTICES.txt";

export interface Dist {
  readonly scriptBytes: number;
  readonly packages: readonly BundledPackage[];
}

export const buildDist = async (dist = join(ROOT, "dist")): Promise<Dist> => {
  rmSync(dist, { recursive: true, force: true });
  const metafile = await bundleFolder(dist);
  const packages = bundledPackages(metafile, (await builtWeb()).modules);
  writeFileSync(join(dist, NOTICES), noticesOf(packages));
  const man = join(dist, "man");
  mkdirSync(man);
  for (const { name, text } of manPages(await wholeProgram())) writeFileSync(join(man, name), text);
  const sizes = Object.values(metafile.outputs).map(({ bytes }) => bytes);
  return { scriptBytes: sizes.reduce((sum, bytes) => sum + bytes, 0), packages };
};
