/**
 * Embeds the texts of other files into the build, in place of the modules that read or start them.
 */
import { fileURLToPath } from "node:url";
import { build as bundle, type Plugin } from "esbuild";
import { packedTables } from "#providers/cloud-control/tables/packed-tables.ts";
import { agentProgram, PACKAGED_FILES, packagedFile } from "../../apps/cli/packaged-files.ts";
import { consoleFiles } from "../../apps/host/console-files.ts";
import { OLDEST_NODE } from "./oldest-node.ts";
import { builtWeb } from "./web.ts";

const embeddedModule = async (): Promise<string> => {
  const texts = Object.fromEntries(PACKAGED_FILES.map((path) => [path, packagedFile(path)]));
  return `const texts = ${JSON.stringify(texts)};
const agent = ${JSON.stringify(await agentProgram())};
export const PACKAGED_FILES = Object.keys(texts);
export const packagedFile = (path) => texts[path];
export const agentProgram = async () => agent;
`;
};

/** The texts are Base64 already, so they cost nothing until a browser requests them. */
const consoleModule = async (): Promise<string> => {
  await builtWeb();
  return `const files = ${JSON.stringify(consoleFiles())};
export const consoleFiles = () => files;
`;
};

const threadProgram = async (): Promise<string> => {
  const { outputFiles } = await bundle({
    entryPoints: [fileURLToPath(new URL("../../apps/host/text-thread.ts", import.meta.url))],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: OLDEST_NODE,
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("the program of a thread could not be bundled");
  return file.text;
};

export const embedFiles: Plugin = {
  name: "embed-files",
  setup: (build) => {
    build.onLoad({ filter: /\/cli\/packaged-files\.ts$/ }, async () => ({
      contents: await embeddedModule(),
      loader: "js",
    }));
    build.onLoad({ filter: /\/host\/console-files\.ts$/ }, async () => ({
      contents: await consoleModule(),
      loader: "js",
    }));
    build.onLoad({ filter: /\/tables\/packed-tables\.ts$/ }, () => ({
      contents: `const text = ${JSON.stringify(packedTables().toString("base64"))};
export const packedTables = () => Buffer.from(text, "base64");
`,
      loader: "js",
    }));
    build.onLoad({ filter: /\/host\/text-program\.ts$/ }, async () => ({
      contents: `export const textProgram = ${JSON.stringify({ code: await threadProgram(), isText: true })};`,
      loader: "js",
    }));
  },
};
