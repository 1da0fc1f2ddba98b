/** Builds the package `@hearth/provider`: types for authors of providers, the kit and a server. */
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { ROOT } from "./bundle.ts";
import { NOTICES } from "./dist.ts";
import { noticesOf } from "./notices.ts";
import { OLDEST_NODE } from "./oldest-node.ts";
import { bundledPackages } from "./packages.ts";

export const PROVIDER = join(ROOT, "providers/sdk");
const MODULES = {
  provider: "providers/sdk/provider.ts",
  kit: "providers/sdk/kit/check-provider.ts",
  http: "providers/sdk/http/serve-provider.ts",
};

const writeTypes = (outDir: string): void => {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const files = Object.values(MODULES).map((path) => join(ROOT, path));
  const program = ts.createProgram(files, {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: PROVIDER,
    outDir,
  });
  const { diagnostics, emitSkipped } = program.emit();
  if (emitSkipped || diagnostics.length > 0) throw new Error("the types were not written");
};

export const buildProvider = async (): Promise<void> => {
  const outdir = join(PROVIDER, "dist");
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: MODULES,
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    target: OLDEST_NODE,
    metafile: true,
    logLevel: "warning",
  });
  writeTypes(outdir);
  writeFileSync(join(outdir, NOTICES), noticesOf(bundledPackages(metafile)));
  copyFileSync(join(ROOT, "LICENSE"), join(PROVIDER, "LICENSE"));
};
