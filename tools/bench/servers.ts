/**
 * `npm run bench -- servers [--servers 1000 --deployments 5 --interval 30 --rest 60]` measures a
 * fleet of servers on the embedded host. The run creates all deployments, rests, updates all of
 * them, and checks that no result was lost.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { openClient } from "#client/client.ts";
import { startHost } from "#test/crash/host-process.ts";
import { openPhase, type Phase, startFleet } from "./servers/fleet.ts";
import {
  createStack,
  ends,
  fleetTemplate,
  lostResults,
  metadataUrls,
  type StackRef,
  updateStack,
} from "./servers/stacks.ts";

const SERVERS_PER_STACK = 100;
const MS_PER_SECOND = 1_000;

const count = z.coerce.number().int().min(1);
const Options = z.object({ servers: count, deployments: count, interval: count, rest: count });
const { values } = parseArgs({
  options: {
    servers: { type: "string", default: "1000" },
    deployments: { type: "string", default: "5" },
    interval: { type: "string", default: "30" },
    rest: { type: "string", default: "60" },
  },
});
const { servers, deployments, interval, rest } = Options.parse(values);

const Process = z.object({
  process: z.object({
    cpu_user_us: z.number(),
    cpu_system_us: z.number(),
    rss_bytes_max: z.number(),
  }),
});
const processAt = async (url: string) => {
  const { process: used } = Process.parse(await (await fetch(`${url}/_dev/process`)).json());
  const cpuMs = (used.cpu_user_us + used.cpu_system_us) / MS_PER_SECOND;
  return { cpuMs, megabytes: Math.round(used.rss_bytes_max / 1e6) };
};

const print = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.map((cell) => String(cell).padStart(9)).join(" | ")} |`);

const millisecondsOf = (share: number, phase: Phase, kind: "polls" | "signals"): string =>
  phase[kind].quantile(share).toFixed(1);

const report = (name: string, phase: Phase, seconds: number, cpuMs: number, mb: number): void => {
  for (const kind of ["polls", "signals"] as const) {
    const figures = [0.5, 0.99, 1].map((share) => millisecondsOf(share, phase, kind));
    const beside =
      kind === "polls" ? [seconds.toFixed(0), (cpuMs / seconds / 10).toFixed(0), mb] : ["", "", ""];
    print([name, kind, phase[kind].count, ...figures, phase.refused, ...beside]);
  }
};

const bench = async (url: string): Promise<number> => {
  const client = openClient({ endpoint: url, project: "demo" });
  const shape = { servers: Math.min(servers, SERVERS_PER_STACK), deployments };
  const names = Array.from(
    { length: Math.ceil(servers / SERVERS_PER_STACK) },
    (_, at) => `fleet${at}`,
  );
  const stacks: StackRef[] = [];
  for (const name of names) stacks.push(await createStack(client, name, fleetTemplate(shape, 1)));
  const urls = [];
  for (const stack of stacks) urls.push(...(await metadataUrls(client, stack)));

  const first = openPhase();
  const fleet = startFleet(urls, interval * MS_PER_SECOND, first);
  const play = async (name: string, phase: Phase, work: () => Promise<unknown>): Promise<void> => {
    fleet.enter(phase);
    const before = await processAt(url);
    const startedAt = performance.now();
    await work();
    const seconds = (performance.now() - startedAt) / MS_PER_SECOND;
    const { cpuMs, megabytes } = await processAt(url);
    report(name, phase, seconds, cpuMs - before.cpuMs, megabytes);
  };
  const all = (status: string) => Promise.all(stacks.map((stack) => ends(client, stack, status)));
  await play("create", first, () => all("CREATE_COMPLETE"));
  let lost = await lostResults(client);
  await play("rest", openPhase(), () => pause(rest * MS_PER_SECOND));
  await play("update", openPhase(), async () => {
    for (const stack of stacks) await updateStack(client, stack, fleetTemplate(shape, 2));
    await all("UPDATE_COMPLETE");
  });
  lost += await lostResults(client);
  await fleet.stop();
  const wanted = 2 * urls.length * deployments;
  console.log(
    `${fleet.runs} of ${wanted} deployments run, each signalled twice; ${lost} results lost`,
  );
  return lost + Math.abs(wanted - fleet.runs);
};

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-servers-"));
const host = startHost(folder, { HEARTH_LOG: "silent" });
try {
  const url = await host.ready();
  console.log(`${servers} servers, ${deployments} deployments each, a poll every ${interval} s`);
  print([
    "phase",
    "requests",
    "number",
    "p50 ms",
    "p99 ms",
    "max ms",
    "refused",
    "seconds",
    "cpu %",
    "MB max",
  ]);
  process.exitCode = (await bench(url)) === 0 ? 0 : 1;
} finally {
  await host.stop();
  rmSync(folder, { recursive: true });
}
