/**
 * Puts the texts of the packaged files into the build, in the place of the module that reads them.
 */
import type { Plugin } from "esbuild";
import { agentProgram, PACKAGED_FILES, packagedFile } from "../cli/packaged-files.ts";

/** The module with the same exports, made of texts. */
const embeddedModule = async (): Promise<string> => {
  const texts = Object.fromEntries(PACKAGED_FILES.map((path) => [path, packagedFile(path)]));
  return `const texts = ${JSON.stringify(texts)};
const agent = ${JSON.stringify(await agentProgram())};
export const PACKAGED_FILES = Object.keys(texts);
export const packagedFile = (path) => texts[path];
export const agentProgram = async () => agent;
`;
};

export const embedFiles: Plugin = {
  name: "embed-files",
  setup: (build) => {
    build.onLoad({ filter: /\/cli\/packaged-files\.ts$/ }, async () => ({
      contents: await embeddedModule(),
      loader: "js",
    }));
  },
};
