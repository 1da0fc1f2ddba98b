/**
 * `npm run lane -- clients`: the real clients of OpenStack against two embedded hosts, one open and
 * one that demands tokens, with each way to log in. `openstack` runs all commands of
 * invocations.json, and for one way also options.json. `--only TEXT` selects programs by name.
 * `--url URL --token TOKEN` uses a running API instead, as the project `demo`; `--authority FILE`
 * is its certificate authority. It needs Python 3, and Go for gophercloud. A skipped program fails
 * the command too.
 */
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";
import { chosenBy } from "#test/lanes/chosen.ts";
import { playLane } from "#test/lanes/play-lane.ts";
import { startHost } from "../crash/host-process.ts";
import { AUTHENTICATIONS, type Authentication } from "./authentications.ts";
import { buildGo, installPython } from "./programs.ts";

const HOME = fileURLToPath(new URL("../../.data/clients", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));
const CLI = fileURLToPath(new URL("../../apps/cli/hearth.ts", import.meta.url));
const PROGRAM_MS_MAX = 900_000;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    url: { type: "string" },
    token: { type: "string", default: "" },
    authority: { type: "string" },
  },
});

/** Only the clients get these variables, because their installation needs the usual authorities. */
const trust: Readonly<Record<string, string>> =
  values.authority === undefined
    ? {}
    : { REQUESTS_CA_BUNDLE: values.authority, SSL_CERT_FILE: values.authority };

const Line = z.strictObject({
  id: z.string(),
  outcome: z.enum(["passed", "failed"]),
  text: z.string(),
});
type Line = z.infer<typeof Line>;

interface Program {
  readonly name: string;
  readonly command: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The settings of this machine's user must not reach the clients. */
const cleanEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OS_")));

const play = async ({ name, command, words, env }: Program): Promise<readonly Line[]> => {
  const child = spawn(command, words, {
    env: { ...cleanEnv(), ...trust, ...env, PYTHONWARNINGS: "ignore" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PROGRAM_MS_MAX,
  });
  let last = "";
  createInterface({ input: child.stderr }).on("line", (line) => {
    last = line;
  });
  const lines: Line[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const said = Line.parse(parseJson(line));
    lines.push({ ...said, id: `${name}: ${said.id}` });
  }
  const code = child.exitCode ?? (await new Promise((resolve) => child.once("close", resolve)));
  if (code === 0 && lines.length > 0) return lines;
  return [...lines, { id: name, outcome: "failed", text: `ended with ${String(code)}: ${last}` }];
};

interface Site {
  readonly folder: string;
  readonly python: string;
  readonly go: string | null;
  readonly url: string;
  readonly token: string;
}

const programsOf = (
  { folder, python, go, url, token }: Site,
  { name, go: goAuth, env: envOf }: Authentication,
): readonly Program[] => {
  const env = envOf(url, token);
  const files = join(folder, "files");
  // Options do not depend on the way to log in, so one way plays them all.
  const tables = ["invocations.json", ...(name === "none" ? ["options.json"] : [])];
  const script = (client: string, ...before: readonly string[]): Program => {
    const words = [join(HERE, `${client}.py`), ...before, files, `${client}-${name}`];
    return { name: `${client} by ${name}`, command: python, words, env };
  };
  const byGo = { name: `gophercloud by ${name}`, command: go ?? "", env: {} };
  return [
    script("cli", tables.map((table) => join(HERE, table)).join(":")),
    script("sdk"),
    script("lib"),
    ...(goAuth === null || go === null
      ? []
      : [{ ...byGo, words: [goAuth, url, token, `go-${name}`] }]),
  ];
};

const Made = z.looseObject({ token: z.looseObject({ token: z.string() }) });

const tokenIn = async (data: string): Promise<string> => {
  const words = [CLI, "token", "create", "--project", "demo", "--data", data, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Made.parse(parseJson(stdout)).token.token;
};

const allPrograms = (): readonly Program[] =>
  AUTHENTICATIONS.flatMap((one) =>
    programsOf({ folder: "", python: "", go: "", url: "", token: "" }, one),
  );

const playAll = async (folder: string): Promise<boolean> => {
  chosenBy(values.only, allPrograms(), ({ name }) => name);
  const python = await installPython(join(HOME, "python"));
  const go = await buildGo(HOME);
  cpSync(join(HERE, "files"), join(folder, "files"), { recursive: true });
  const lines: Line[] = [];
  const { url, token } = values;
  if (url !== undefined) {
    const ways = AUTHENTICATIONS.filter((one) => one.needsToken && !one.needsKeystone);
    lines.push(...(await playSite({ folder, python, go, url, token }, ways)));
  }
  for (const needsToken of url === undefined ? [false, true] : [])
    lines.push(...(await playOwnHost({ folder, python, go }, needsToken)));
  return report(lines, go === null ? ["gophercloud: this machine has no Go"] : []);
};

const playOwnHost = async (
  { folder, ...programs }: Pick<Site, "folder" | "python" | "go">,
  needsToken: boolean,
): Promise<readonly Line[]> => {
  const home = mkdtempSync(join(folder, "host-"));
  const token = needsToken ? await tokenIn(join(home, "data")) : "any";
  const options = needsToken ? ["--auth", "tokens"] : [];
  const host = startHost(home, { HEARTH_LOG: "silent" }, options);
  const ways = AUTHENTICATIONS.filter((one) => one.needsToken === needsToken);
  const lines = await playSite({ folder, ...programs, url: await host.ready(), token }, ways);
  await host.stop();
  return lines;
};

const playSite = async (site: Site, ways: readonly Authentication[]): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  const programs = ways.flatMap((one) => programsOf(site, one));
  for (const program of programs.filter(({ name }) => name.includes(values.only ?? ""))) {
    const said = await play(program);
    const passed = said.filter(({ outcome }) => outcome === "passed").length;
    console.log(`${program.name}: ${passed} of ${said.length} passed`);
    lines.push(...said);
  }
  return lines;
};

const report = (lines: readonly Line[], skipped: readonly string[]): boolean => {
  const failed = lines.filter(({ outcome }) => outcome === "failed");
  for (const { id, text } of failed) console.log(`FAILED  ${id}: ${text}`);
  for (const text of skipped) console.log(`skipped ${text}`);
  const passed = lines.length - failed.length;
  console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  return passed > 0 && failed.length === 0 && skipped.length === 0;
};

await playLane("clients", playAll);
