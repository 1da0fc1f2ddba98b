/**
 * `npm run lane -- plug-ins`: the example plug-in in the host's process, as a server in Node's
 * wrapper and as a server in Python. Host and server are killed at random moments, with real files.
 * It needs Python.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "#lib/json.ts";
import { openTally } from "../crash/tally.ts";
import { type KilledSite, playKills } from "../kills/kills.ts";
import { figuresLine } from "../lanes/figures.ts";
import { freePort } from "../lanes/free-port.ts";
import { playLane } from "../lanes/play-lane.ts";

const exampleAt = (name: string): string =>
  fileURLToPath(new URL(`../../examples/provider/${name}`, import.meta.url));
const MODULE = exampleAt("my-file.mjs");
const SERVED = fileURLToPath(new URL("./serve-module.ts", import.meta.url));
const SECRET = "the secret of this lane, which is long enough";
const FILES = 300;
/** Each file waits for the one this many before it, so that a creation takes a while. */
const AT_ONCE = 4;
const KILL_MS_MAX = 300;

const templateOf = (folder: string, content: string): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: Object.fromEntries(
    Array.from({ length: FILES }, (_, at): [string, JsonObject] => {
      // The path of every third file changes, which replaces the file.
      const path = join(folder, at % 3 === 0 ? `${at}-${content}` : String(at));
      const definition = { type: "My::File", properties: { path, content } };
      const before = at < AT_ONCE ? {} : { depends_on: `file${at - AT_ONCE}` };
      return [`file${at}`, { ...definition, ...before }];
    }),
  ),
});

interface Server {
  readonly url: string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const startServer = async (wordsFor: (port: string) => readonly string[]): Promise<Server> => {
  const port = String(await freePort());
  const [program = "", ...rest] = wordsFor(port);
  const begin = async (): Promise<ChildProcess> => {
    const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
    await once(createInterface({ input: child.stdout }), "line");
    return child;
  };
  let child = await begin();
  const end = async (): Promise<void> => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    restart: async () => {
      await end();
      child = await begin();
    },
    stop: end,
  };
};

const siteIn = (
  folder: string,
  name: string,
  options: readonly string[],
  restartBackEnd: KilledSite["restartBackEnd"],
): KilledSite => {
  const files = join(folder, "files");
  mkdirSync(files, { recursive: true });
  return {
    name,
    folder,
    options,
    templates: [templateOf(files, "first"), templateOf(files, "second")],
    objects: async () => readdirSync(files),
    wanted: FILES,
    restartBackEnd,
    killMsMax: KILL_MS_MAX,
  };
};

await playLane("plug-ins", async (folder) => {
  if (spawnSync("python3", ["--version"]).status !== 0) {
    console.log("plug-ins: not run: the server in Python needs python3");
    return true;
  }
  const secretFile = join(folder, "secret");
  writeFileSync(secretFile, `${SECRET}\n`, { mode: 0o600 });
  const servers = {
    "served by Node": (port: string) => [process.execPath, SERVED, port, secretFile],
    "in Python": (port: string) => ["python3", exampleAt("my_file.py"), port, secretFile],
  } as const;
  const tally = openTally();
  const folders: string[] = [];
  let faults = 0;
  const play = async (
    name: string,
    options: readonly string[],
    restart: KilledSite["restartBackEnd"],
  ): Promise<void> => {
    const place = join(folder, name.replaceAll(" ", "-"));
    folders.push(join(place, "files"));
    const killed = await playKills(siteIn(place, `a plug-in ${name}`, options, restart));
    tally.report(killed.results);
    faults += killed.faults;
  };
  await play("in the host", ["--plugin", MODULE], null);
  for (const [name, words] of Object.entries(servers)) {
    const server = await startServer(words);
    const secrets = join(folder, "secrets.json");
    writeFileSync(secrets, JSON.stringify({ [server.url]: SECRET }), { mode: 0o600 });
    await play(name, ["--plugin", server.url, "--plugin-secrets", secrets], server.restart);
    await server.stop();
  }
  const left = folders.flatMap((one) => readdirSync(one)).length;
  console.log(figuresLine({ faults, left }));
  console.log(`plug-ins: ${tally.passed} passed, ${tally.failed} failed`);
  return tally.isGreen && left === 0;
});
