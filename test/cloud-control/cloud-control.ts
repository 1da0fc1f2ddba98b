/**
 * `npm run lane -- cloud-control`: a stack of 1,000 `AWS::*` resources of 20 types on the double.
 * Calls are throttled, lost and doubled, and the host and the double's endpoint are killed.
 * `--resources 100` plays a smaller stack.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type RestartedHost, startHost } from "../crash/host-process.ts";
import { openTally } from "../crash/tally.ts";
import { type Front, startFront } from "../kills/front.ts";
import { figuresLine } from "../lanes/figures.ts";
import { type Double, environmentFor, type Fault, startDouble } from "./cloud-control-double.ts";
import { ROLE } from "./provider-at.ts";
import { TYPES, templateOf } from "./thousand-resources.ts";

const KILLS = 6;
const KILL_EVERY_MS = 4_000;
const PAUSE_MS = 1_000;
const MS_MAX = 1_200_000;

const Found = z.object({ stack: z.object({ stack_status: z.string(), id: z.string() }) });

/** These numbers are primes, so that every kind of call meets every fault. */
const faultOf = (call: number): Fault | null => {
  if (call % 11 === 0) return "throttled";
  if (call % 17 === 0) return "lost";
  if (call % 19 === 0) return "twice";
  return call % 23 === 0 ? "dropped" : null;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const statusOf = async (url: string): Promise<string | null> => {
  const answer = await fetch(`${url}/v1/demo/stacks/thousand`);
  if (answer.status === 404) return null;
  return Found.parse(await answer.json()).stack.stack_status;
};

interface Phase {
  readonly host: RestartedHost;
  readonly double: Double;
  readonly front: Front;
  readonly end: string | null;
}

interface Measured {
  readonly status: string | null;
  readonly seconds: number;
  readonly calls: number;
  readonly kills: number;
}

const untilEnd = async ({ host, double, front, end }: Phase): Promise<Measured> => {
  const [start, calls] = [Date.now(), double.allCalls];
  let kills = 0;
  let url = await host.ready();
  let status = await statusOf(url);
  while (Date.now() < start + MS_MAX && status?.endsWith("IN_PROGRESS")) {
    await pause(PAUSE_MS);
    if (kills < KILLS && Date.now() > start + (kills + 1) * KILL_EVERY_MS) {
      kills += 1;
      await (kills % 2 === 1 ? host : front).restart();
      url = await host.ready();
    }
    status = await statusOf(url);
  }
  console.log(`${kills} times killed, ${status ?? "gone"}, ${end ?? "gone"} wanted`);
  return {
    status,
    seconds: Math.round((Date.now() - start) / 1_000),
    calls: double.allCalls - calls,
    kills,
  };
};

const send = async (url: string, method: string, body?: object): Promise<void> => {
  const given = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    ...given,
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
};

const { values } = parseArgs({ options: { resources: { type: "string", default: "1000" } } });
const resources = z.coerce.number().int().min(1).parse(values.resources);
const folder = mkdtempSync(join(tmpdir(), "hearth-cloud-control-"));
const roles = join(folder, "roles.json");
writeFileSync(roles, JSON.stringify({ projects: { demo: ROLE } }));
const { double, url: doubleUrl, stop } = await startDouble({ polls: 2, hidden: 1, fault: faultOf });
const front = await startFront(doubleUrl);
const host = startHost(folder, environmentFor(front.url), ["--aws", roles]);
const tally = openTally();
try {
  const url = await host.ready();
  const template = templateOf(resources);
  const given = { stack_name: "thousand", template, timeout_mins: 60 };
  await send(`${url}/v1/demo/stacks`, "POST", given);
  const created = await untilEnd({ host, double, front, end: "CREATE_COMPLETE" });
  const made = double.objects.size;
  const twice = [...double.effects.values()].filter((count) => count !== 1).length;
  const stack = Found.parse(
    await (await fetch(`${await host.ready()}/v1/demo/stacks/thousand`)).json(),
  );
  await send(`${await host.ready()}/v1/demo/stacks/thousand/${stack.stack.id}`, "DELETE");
  const deleted = await untilEnd({ host, double, front, end: null });
  const wrong = [
    ...(created.status === "CREATE_COMPLETE" ? [] : [`the creation ended with ${created.status}`]),
    ...(made === resources ? [] : [`${made} objects were there`]),
    ...(double.made === resources ? [] : [`${double.made} objects were made`]),
    ...(twice === 0 ? [] : [`${twice} tokens made two objects`]),
    ...(double.objects.size === 0 ? [] : [`${double.objects.size} objects are left`]),
  ];
  tally.report([{ name: `${resources} resources of ${TYPES.length} types`, wrong }]);
  const faults = [...double.faults].map(([fault, count]) => `${count} ${fault}`).join(", ");
  console.log(`create: ${created.seconds} s, ${created.calls / resources} calls a resource`);
  console.log(`delete: ${deleted.seconds} s, ${deleted.calls / resources} calls a resource`);
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  console.log(`faults: ${faults}`);
  const spoilt = [...double.faults.values()].reduce((sum, count) => sum + count, 0);
  const all = spoilt + created.kills + deleted.kills;
  console.log(figuresLine({ faults: all, left: double.objects.size }));
} finally {
  await host.stop();
  await front.stop();
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(tally.isGreen ? 0 : 1);
