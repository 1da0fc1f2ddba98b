import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Check } from "../crash/checks.ts";
import { type RunEnd, run } from "./run.ts";

const COMPILER = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const COMPILER_OPTIONS = {
  target: "es2024",
  lib: ["es2024", "dom"],
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  types: [],
  outDir: "out",
};

const PLUGIN = `import type { Answer, Call, ObjectCall, Provider } from "@hearth/provider";

const things = new Map<string, string>();

const create = async ({ token, resourceId, properties }: Call): Promise<Answer> => {
  things.set(resourceId, String(properties["value"] ?? ""));
  return { state: "finished", physicalId: resourceId, attributes: { made: token } };
};

const provider: Provider = {
  provider: 1,
  name: "things",
  types: {
    "My::Thing": {
      description: "A thing.",
      properties: { value: { type: "string", updateAllowed: true } },
      attributes: { made: { type: "string" } },
      tokens: "kept",
      create,
      update: async ({ physicalId, properties }: ObjectCall) => {
        if (!things.has(physicalId)) return { state: "gone" };
        things.set(physicalId, String(properties["value"] ?? ""));
        return { state: "finished" };
      },
      delete: async ({ physicalId }) => {
        things.delete(physicalId);
        return { state: "finished" };
      },
      check: async ({ physicalId }) =>
        things.has(physicalId) ? { state: "finished" } : { state: "gone" },
      list: async () => [...things.keys()],
    },
  },
};
export default provider;
`;

const WRONG = `import type { Provider } from "@hearth/provider";
export const provider: Provider = { provider: 3, name: "things", types: {} };
`;

const PLAY = `import { checkProvider } from "@hearth/provider/kit";
import provider from "./thing.js";

const results = await checkProvider({
  load: async () => provider,
  type: "My::Thing",
  properties: { value: "one" },
  changed: { value: "two" },
});
for (const { name, verdict } of results) (globalThis as any).console.log(name, verdict);
`;

const SERVE = `import { serveProvider } from "@hearth/provider/http";
import provider from "./out/thing.js";

const served = await serveProvider(provider, { port: 0, secrets: ["0".repeat(32)] });
const { status } = await fetch(served.url + "/v1/describe");
await served.close();
console.log("a stranger gets", status);
`;

const BROKEN = `import { checkProvider } from "@hearth/provider/kit";

const work = async () => ({ state: "finished" });
const functions = { create: work, delete: work, lst: work };
const type = { description: "", properties: {}, tokens: "kept", ...functions };
const load = async () => ({ provider: 1, name: "things", types: { "My::Thing": type } });
const told = await checkProvider({ load, type: "My::Thing", properties: {} }).catch((error) => error);
console.log(told.message);
`;

const expectEnd = (name: string, { code, stdout, stderr }: RunEnd, wanted: RegExp, end = 0) => ({
  name,
  wrong: code === end && wanted.test(stdout) ? [] : [`exit code ${code}: ${stdout}${stderr}`],
});

const write = (folder: string, file: string, text: string): void =>
  writeFileSync(join(folder, file), text);

const writeProject = (folder: string): void => {
  mkdirSync(folder);
  write(folder, "package.json", JSON.stringify({ type: "module", private: true }));
  const compilerOptions = COMPILER_OPTIONS;
  write(folder, "tsconfig.json", JSON.stringify({ compilerOptions, files: ["play.ts"] }));
  write(folder, "wrong.json", JSON.stringify({ compilerOptions, files: ["wrong.ts"] }));
  write(folder, "thing.ts", PLUGIN);
  write(folder, "wrong.ts", WRONG);
  write(folder, "play.ts", PLAY);
  write(folder, "serve.mjs", SERVE);
  write(folder, "broken.mjs", BROKEN);
};

export async function* providerChecks(tarball: string, folder: string): AsyncGenerator<Check> {
  writeProject(folder);
  const install = ["install", "--no-audit", "--no-fund", tarball];
  const installed = await run("npm", install, { cwd: folder });
  yield expectEnd("it installs", installed, /added 1 package/);
  const packages = readdirSync(join(folder, "node_modules")).filter((name) => name[0] !== ".");
  yield { name: "it has no dependencies", wrong: packages.filter((name) => name !== "@hearth") };
  const compile = (project: string) =>
    run(process.execPath, [COMPILER, "-p", project], { cwd: folder });
  yield expectEnd("a plug-in in TypeScript has its types", await compile("tsconfig.json"), /^$/);
  const wrong = await compile("wrong.json");
  yield expectEnd("another version is a type error", wrong, /'3' is not assignable/, 2);
  const played = await run(process.execPath, ["out/play.js"], { cwd: folder });
  yield expectEnd("it plays the kit", played, /^life passed\n(?:.+ (?:passed|not played)\n)+$/);
  const broken = await run(process.execPath, ["broken.mjs"], { cwd: folder });
  yield expectEnd("it says what is wrong", broken, /^types\.My::Thing: Unrecognized key: "lst"\n$/);
  const served = await run(process.execPath, ["serve.mjs"], { cwd: folder });
  yield expectEnd("it serves a provider", served, /^a stranger gets 401\n$/);
}
