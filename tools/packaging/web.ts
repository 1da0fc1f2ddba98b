/**
 * Builds the console and compresses each file with Brotli. The host serves these files, and the
 * package contains them.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import type { Plugin } from "vite";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, "apps/console/dist");
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
} as const;

export interface WebFile {
  readonly path: string;
  readonly bytes: number;
  readonly compressed: number;
}

export interface Web {
  readonly files: readonly WebFile[];
  readonly modules: readonly string[];
}

/** Keeps only the compressed files, because the host can decompress them. */
const compress = (folder: string, path: string): WebFile => {
  const file = join(folder, path);
  const bytes = readFileSync(file);
  const brotli = brotliCompressSync(bytes, BROTLI);
  writeFileSync(`${file}.br`, brotli);
  rmSync(file);
  return { path, bytes: bytes.length, compressed: brotli.length };
};

const collector = (modules: Set<string>): Plugin => ({
  name: "collect-modules",
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      for (const id of chunk.moduleIds) modules.add(relative(ROOT, id.split("?")[0] ?? id));
    }
  },
});

/** Takes some seconds. Concurrent builds need different folders. */
export const buildWeb = async (folder = FOLDER): Promise<Web> => {
  // Vite is slow to load and needed only for a build.
  const { build } = await import("vite");
  const modules = new Set<string>();
  await build({
    configFile: join(ROOT, "apps/console/vite.config.ts"),
    logLevel: "warn",
    plugins: [collector(modules)],
    worker: { format: "es", plugins: () => [collector(modules)] },
    build: { outDir: folder, emptyOutDir: true },
  });
  const files = globSync("**/*.*", { cwd: folder }).toSorted();
  return { files: files.map((path) => compress(folder, path)), modules: [...modules].toSorted() };
};

let built: Promise<Web> | null = null;

export const builtWeb = (): Promise<Web> => {
  built ??= buildWeb();
  return built;
};
