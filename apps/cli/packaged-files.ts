/**
 * The files of the repository that commands hand out. The build replaces this module by one that
 * contains their texts (tools/packaging/embed-files.ts), so that an installed Hearth reads no file.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const PACKAGED_FILES = [
  "apps/agent/hooks/status-aware",
  "examples/own-server/server.yaml",
  "examples/own-server/scripts/write.sh",
  "examples/own-server/scripts/open.sh",
  "examples/own-server/scripts/close.sh",
  "examples/own-server/scripts/remove.sh",
] as const;
export type PackagedFile = (typeof PACKAGED_FILES)[number];

const repositoryPath = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const packagedFile = (path: PackagedFile): string =>
  readFileSync(repositoryPath(path), "utf8");

export const agentProgram = async (): Promise<string> => {
  // Only a clone has the bundler, which is slow to load.
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [repositoryPath("apps/agent/hearth-agent.ts")],
    bundle: true,
    minify: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("the agent could not be bundled");
  return file.text;
};
