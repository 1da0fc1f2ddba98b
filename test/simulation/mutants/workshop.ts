/** Bundles the hunt with an engine that has the edits of one mutant in it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { context, type Plugin } from "esbuild";
import { present } from "#lib/errors.ts";
import type { Mutant } from "./mutant.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** Bundles find the packages from here, and git ignores it. */
const BUNDLES = join(ROOT, ".data/mutants");

/** The file's text with the mutant's edits in it. */
const mutate = async ({ name, edits }: Mutant, file: string): Promise<string> => {
  let text = await readFile(join(ROOT, file), "utf8");
  for (const { find, replace } of edits.filter((one) => one.file === file)) {
    if (!text.includes(find)) {
      throw new Error(`mutant "${name}" no longer applies to ${file}: mend its edits`);
    }
    text = text.replace(find, () => replace);
  }
  return text;
};

const mutation = (mutantNow: () => Mutant | null): Plugin => ({
  name: "mutant",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]lib[\\/].*\.ts$/ }, async ({ path }) => {
      const file = relative(ROOT, path);
      const mutant = mutantNow();
      return mutant?.edits.some((edit) => edit.file === file)
        ? { contents: await mutate(mutant, file), loader: "ts" }
        : null;
    });
  },
});

export interface Workshop {
  /** Returns the path of the bundle. One build at a time: wait for it before the next. */
  build(mutant: Mutant): Promise<string>;
  close(): Promise<void>;
}

const HUNT = "test/simulation/mutants/hunt.ts";

/**
 * One context builds all mutants, so that a build parses again only what its mutant edits. `entry`
 * is what each bundle exports.
 */
export const openWorkshop = async (entry = HUNT): Promise<Workshop> => {
  let current: Mutant | null = null;
  let built = 0;
  await mkdir(BUNDLES, { recursive: true });
  const folder = await mkdtemp(join(BUNDLES, "m"));
  const builder = await context({
    entryPoints: [join(ROOT, entry)],
    outfile: "mutant.mjs",
    write: false,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node24",
    // Files that are programs by themselves must not start here.
    define: { "import.meta.main": "false" },
    plugins: [mutation(() => current)],
    logLevel: "silent",
  });
  return {
    build: async (mutant) => {
      for (const { file } of mutant.edits) await mutate(mutant, file);
      current = mutant;
      const { outputFiles } = await builder.rebuild();
      const path = join(folder, `${built++}.mjs`);
      await writeFile(path, present(outputFiles[0], "the bundle").contents);
      return path;
    },
    close: async () => {
      await builder.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
