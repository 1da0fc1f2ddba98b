import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import * as z from "zod";
import { ROOT } from "./bundle.ts";

const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

export interface BundledPackage extends z.infer<typeof manifestSchema> {
  readonly folder: string;
}

/** A package may be installed inside another one, so the last such folder counts. */
const FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

export const bundledPackages = (
  { outputs }: Metafile,
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
