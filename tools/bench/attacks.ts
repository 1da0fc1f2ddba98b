/**
 * `npm run bench -- attacks [--seconds 8]` measures how an attack by another project, or by a
 * stranger, slows down a project on the same host. Each line is one attack on a new host: the 99th
 * percentile of the project's requests without and with the attack, and the ratio. The attacker is
 * a separate process that shares the processors.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";
import { createToken } from "#host/credentials.ts";
import type { JsonObject } from "#lib/json.ts";
import { startHost } from "#test/crash/host-process.ts";
import { freePort } from "#test/lanes/free-port.ts";

const MS_PER_SECOND = 1_000;
const PAUSE_MS = 10;
const BEGIN_MS = 6_000;
const WARM_REQUESTS = 50;
const WIDTHS = [44, 12, 10, 12, 8];
const ATTACKER = fileURLToPath(new URL("attacks/attacker.ts", import.meta.url));

const { seconds, only } = z
  .object({ seconds: z.coerce.number().positive(), only: z.string() })
  .parse(
    parseArgs({
      options: { seconds: { type: "string", default: "8" }, only: { type: "string", default: "" } },
    }).values,
  );

const openFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-attacks-"));
  const data = join(folder, "data");
  mkdirSync(data);
  writeFileSync(join(folder, "ssh"), "#!/bin/sh\nyes\n");
  chmodSync(join(folder, "ssh"), 0o755);
  writeFileSync(join(folder, "ops_key"), "key\n", { mode: 0o600 });
  const ssh = join(folder, "keys.yaml");
  writeFileSync(ssh, "identities: { ops: { key_file: ops_key, projects: [other] } }\n");
  const own = createToken(data, "own", null).token;
  return { folder, ssh, own, other: createToken(data, "other", null).token };
};

type Send = (method: string, path: string, body?: JsonObject) => Promise<string>;
/** `url` is that of the listener that is attacked. */
type Probe = (send: Send, url: string) => Promise<void>;

const list: Probe = async (send) => void (await send("GET", "/stacks?limit=20"));

const hot = (one: JsonObject): JsonObject => ({
  heat_template_version: "2021-04-16",
  resources: { one },
});

const largeBody: Probe = async (send) => {
  const value = "x".repeat(200_000);
  const template = hot({ type: "OS::Heat::Value", properties: { value } });
  await send("POST", "/validate", { template });
};

const stackOf = z.object({ stack: z.object({ id: z.string(), stack_status: z.string() }) });
const idOf = z.object({ stack: z.object({ id: z.string() }) });

const oneStack: Probe = async (send) => {
  const stack_name = `s${crypto.randomUUID()}`;
  const template = hot({ type: "OS::Heat::RandomString" });
  const { id } = idOf.parse(
    JSON.parse(await send("POST", "/stacks", { stack_name, template })),
  ).stack;
  const statusNow = async () =>
    stackOf.parse(JSON.parse(await send("GET", `/stacks/${stack_name}/${id}`))).stack.stack_status;
  while ((await statusNow()) !== "CREATE_COMPLETE") await pause(PAUSE_MS / 2);
};

/** The answer costs little, so this is the time until a new connection is let in. */
const newcomer: Probe = async (_, url) => {
  const isAnswered = (): Promise<boolean> =>
    new Promise((resolve) => {
      get(url, { agent: false }, (response) =>
        response.resume().once("end", () => resolve(true)),
      ).once("error", () => resolve(false));
    });
  while (!(await isAnswered())) await pause(PAUSE_MS);
};

const p99 = async (probe: () => Promise<void>): Promise<number> => {
  const times: number[] = [];
  for (const end = performance.now() + seconds * MS_PER_SECOND; performance.now() < end; ) {
    const begun = performance.now();
    await probe();
    times.push(performance.now() - begun);
    await pause(PAUSE_MS);
  }
  return times.toSorted((one, two) => one - two)[Math.floor(times.length * 0.99)] ?? 0;
};

const ATTACKS: readonly (readonly [string, string, Probe, "agents"?])[] = [
  ["no attack: 4 clients that list", "lists", list],
  ["no attack: values of 170,000 characters", "large", list],
  ["4 strangers: paths of 15,800 slashes", "slashes", list],
  ["yaql of 60,000 digits", "digits", list],
  ["a MIME header of 170,000 blanks", "mime", list],
  ["machines that print without end", "ssh", list],
  ["136 strangers: bodies without an end", "bodies", largeBody],
  ["5,000 resources of one project", "resources", oneStack],
  ["5,000 resources of one project", "resources", list],
  ["200 live feeds of one project", "feeds", list],
  ["5,000 resources, told to 200 live feeds", "feedsAndResources", list],
  ["10,000 silent connections", "silent", newcomer],
  ["the same at the agents' listener", "silent", newcomer, "agents"],
  ["10,000 that do not read either", "silentUnread", newcomer],
  ["10,000 heads, a byte each second", "slowHeads", newcomer],
  ["10,000 bodies, a byte each second", "slowBodies", newcomer],
  ["the same at the agents' listener", "slowBodies", newcomer, "agents"],
  ["10,000 half-closed connections", "halfClosed", newcomer],
  ["10,000 that do not read their answers", "unread", newcomer],
];

const print = (...cells: readonly string[]): void =>
  console.log(
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[at] ?? 0)))
      .join(""),
  );

const play = async ([name, attack, probe, attacked]: (typeof ATTACKS)[number]): Promise<void> => {
  const { folder, ssh, own, other } = openFolder();
  const PATH = `${folder}:${process.env["PATH"] ?? ""}`;
  const agents = `127.0.0.1:${await freePort()}`;
  const options = ["--auth", "tokens", "--ssh", ssh, "--agents-listen", agents];
  const host = startHost(folder, { HEARTH_LOG: "silent", PATH }, options);
  const url = await host.ready();
  const target = attacked === "agents" ? `http://${agents}` : url;
  const send: Send = async (method, path, body) => {
    const answer = await fetch(`${url}/v1/own${path}`, {
      method,
      headers: { "X-Auth-Token": own },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
    return text;
  };
  for (let request = 0; request < WARM_REQUESTS; request++) await probe(send, target);
  const without = await p99(() => probe(send, target));
  const attacker = spawn(process.execPath, [ATTACKER, attack, target, other], { stdio: "inherit" });
  const over = once(attacker, "exit");
  await pause(BEGIN_MS);
  const withAttack = await p99(() => probe(send, target));
  attacker.kill("SIGKILL");
  await over;
  await host.stop();
  rmSync(folder, { recursive: true });
  const ratio = (withAttack / without).toFixed(1);
  print(name, probe.name, without.toFixed(1), withAttack.toFixed(1), ratio);
};

print("attack", "request", "p99 ms", "attacked ms", "ratio");
for (const row of ATTACKS) if (row[1].startsWith(only)) await play(row);
