/** The npm packages that have code in a bundle. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import * as z from "zod";
import { ROOT } from "./bundle.ts";

const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

export interface BundledPackage extends z.infer<typeof manifestSchema> {
  readonly folder: string;
}

/** A package may be installed inside another one, so this takes the last folder of that kind. */
const FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Sorted by their folders. */
export const bundledPackages = (
  { outputs }: Metafile,
  /** Paths of modules of another bundle, from the root. */
  others: readonly string[] = [],
): readonly BundledPackage[] => {
  const folders = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path)
    .concat(others)
    .flatMap((path) => FOLDER.exec(path)?.[0] ?? []);
  return [...new Set(folders)].toSorted().map((path) => {
    const folder = join(ROOT, path);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return { ...manifestSchema.parse(manifest), folder };
  });
};
