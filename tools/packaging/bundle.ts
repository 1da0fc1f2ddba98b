import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { commitOfClone } from "#host/own-version.ts";
import { embedFiles } from "./embed-files.ts";
import { OLDEST_NODE } from "./oldest-node.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** CommonJS packages look for `require` even inside an ES module. */
const REQUIRE_BANNER =
  'import{createRequire as hearthRequire}from"node:module";const require=hearthRequire(import.meta.url);';

const FOLDER = {
  format: "esm",
  splitting: true,
  entryNames: "[name]",
  chunkNames: "chunks/[name]-[hash]",
  banner: { js: REQUIRE_BANNER },
} as const satisfies BuildOptions;

/**
 * One CommonJS script, as Node's single executable requires it. Modules have no URL there. Hearth's
 * modules use theirs only to check whether they were started directly.
 */
const SINGLE = {
  format: "cjs",
  define: { "import.meta.url": '"file:///hearth"', "import.meta.dirname": '"/"' },
} as const satisfies BuildOptions;

const bundle = async (outdir: string, options: BuildOptions): Promise<Metafile> => {
  const { metafile } = await build({
    ...options,
    absWorkingDir: ROOT,
    entryPoints: ["apps/cli/hearth.ts"],
    outdir,
    bundle: true,
    platform: "node",
    target: OLDEST_NODE,
    // An optional peer dependency that only the AWS commands load.
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
