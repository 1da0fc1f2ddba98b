/**
 * Builds the playground, which is the console and the engine in one classic script. It must work
 * from a local file, where browsers load neither modules nor workers.
 */
import { copyFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { ROOT } from "./bundle.ts";
import { noticesOf } from "./notices.ts";
import { bundledPackages } from "./packages.ts";

export const PLAYGROUND = join(ROOT, "docs/public/playground");
const SOURCES = join(ROOT, "apps/console/playground");

/** Replaces the parts that do not work on a page from a local file. */
const layOutHere: Plugin = {
  name: "lay-out-here",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/ask-layout\.ts$/ }, () => ({ path: join(SOURCES, "lay-out-here.ts") }));
  },
};

export interface Playground {
  readonly modules: readonly string[];
  readonly bytes: number;
}

/** Built for browsers, so an import of a Node module fails the build. */
export const buildPlayground = async (outdir = PLAYGROUND): Promise<Playground> => {
  mkdirSync(outdir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["apps/console/playground/playground.tsx"],
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
  copyFileSync(join(ROOT, "apps/console/public/icon.svg"), join(outdir, "icon.svg"));
  writeFileSync(join(outdir, "NOTICES.txt"), noticesOf(bundledPackages(metafile)));
  return {
    modules: Object.keys(metafile.inputs).toSorted(),
    bytes: statSync(join(outdir, "playground.js")).size,
  };
};
