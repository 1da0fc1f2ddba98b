/**
 * Builds the playground: the console and the engine as one classic script. A browser loads neither
 * modules nor workers from a file, and the playground must work from a file.
 */
import { copyFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { ROOT } from "./bundle.ts";
import { noticesOf } from "./notices.ts";
import { bundledPackages } from "./packages.ts";

/** The site copies this folder as it is. */
export const PLAYGROUND = join(ROOT, "docs/public/playground");
const SOURCES = join(ROOT, "web/playground");

/** What a page that is a file cannot do. */
const layOutHere: Plugin = {
  name: "lay-out-here",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/ask-layout\.ts$/ }, () => ({ path: join(SOURCES, "lay-out-here.ts") }));
  },
};

export interface Playground {
  /** Below the root of the repository. */
  readonly modules: readonly string[];
  readonly bytes: number;
}

/** For the platform of browsers: a module of Node would end the build. */
export const buildPlayground = async (outdir = PLAYGROUND): Promise<Playground> => {
  mkdirSync(outdir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["web/playground/playground.tsx"],
    outdir,
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [layOutHere],
    metafile: true,
    logLevel: "warning",
  });
  copyFileSync(join(SOURCES, "index.html"), join(outdir, "index.html"));
  copyFileSync(join(ROOT, "web/public/icon.svg"), join(outdir, "icon.svg"));
  writeFileSync(join(outdir, "NOTICES.txt"), noticesOf(bundledPackages(metafile)));
  return {
    modules: Object.keys(metafile.inputs).toSorted(),
    bytes: statSync(join(outdir, "playground.js")).size,
  };
};
