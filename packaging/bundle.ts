/** How esbuild makes Hearth's sources and its dependencies into JavaScript. */
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { commitOfClone } from "../host/own-commit.ts";
import { embedFiles } from "./embed-files.ts";
import { OLDEST_NODE } from "./oldest-node.ts";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** CommonJS packages look for `require` even inside an ES module. */
const REQUIRE_BANNER =
  'import{createRequire as hearthRequire}from"node:module";const require=hearthRequire(import.meta.url);';

/** One file of each module that is loaded on demand, and one of what several of them share. */
const FOLDER = {
  format: "esm",
  splitting: true,
  entryNames: "[name]",
  chunkNames: "chunks/[name]-[hash]",
  banner: { js: REQUIRE_BANNER },
} as const satisfies BuildOptions;

/**
 * One CommonJS script, as Node's single executable takes it. There, a module has no URL; none of
 * Hearth's modules in the bundle needs one but to see that it was not started by itself.
 */
const SINGLE = {
  format: "cjs",
  define: { "import.meta.url": '"file:///hearth"', "import.meta.dirname": '"/"' },
} as const satisfies BuildOptions;

/** Writes the bundle, and returns what it was made of. */
const bundle = async (outdir: string, options: BuildOptions): Promise<Metafile> => {
  const { metafile } = await build({
    ...options,
    absWorkingDir: ROOT,
    entryPoints: ["cli/hearth.ts"],
    outdir,
    bundle: true,
    platform: "node",
    target: OLDEST_NODE,
    // An optional peer: only the AWS commands load it, and they ask for it.
    external: ["@aws-sdk/*"],
    plugins: [embedFiles],
    define: { ...options.define, HEARTH_COMMIT: JSON.stringify(commitOfClone(ROOT) ?? "") },
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
};

export const bundleFolder = (outdir: string): Promise<Metafile> => bundle(outdir, FOLDER);

export const bundleSingle = (outdir: string): Promise<Metafile> => bundle(outdir, SINGLE);
