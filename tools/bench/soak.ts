/**
 * `npm run bench -- soak [--living 10000 --ended 5000 --servers 1000 --interval 30]` gives the
 * embedded host a busy day. Servers poll through TLS, with a new connection for each poll, while
 * stacks are created and deleted. It prints memory, the size of the data folder and the 99th
 * percentiles.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type Client, openClient } from "#client/client.ts";
import { sizeOf } from "./retention/folder.ts";
import { openPhase, type Phase, startFleet } from "./servers/fleet.ts";
import type { Latencies } from "./servers/latency.ts";
import { createStack, ends, fleetTemplate, lostResults, metadataUrls } from "./servers/stacks.ts";
import { missing, playLives } from "./soak/lives.ts";
import { newConnections } from "./soak/new-connections.ts";
import { startTlsHost } from "./soak/tls-host.ts";

const SERVERS_PER_STACK = 100;
const WRITERS = 8;
const MS_PER_SECOND = 1_000;
const REST_MS = 60_000;

const count = z.coerce.number().int().min(1);
const Options = z.object({ living: count, ended: count, servers: count, interval: count });
const { values } = parseArgs({
  options: {
    living: { type: "string", default: "10000" },
    ended: { type: "string", default: "5000" },
    servers: { type: "string", default: "1000" },
    interval: { type: "string", default: "30" },
  },
});
const { living, ended, servers, interval } = Options.parse(values);

const Process = z.object({
  process: z.object({
    cpu_user_us: z.number(),
    cpu_system_us: z.number(),
    rss_bytes: z.number(),
    rss_bytes_max: z.number(),
  }),
});

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const spread = (of: Latencies): string =>
  `${of.count}, p50 ${of.quantile(0.5).toFixed(1)} ms, p99 ${of.quantile(0.99).toFixed(1)} ms`;

const startServers = async (client: Client) => {
  const stacks = [];
  for (let at = 0; at * SERVERS_PER_STACK < servers; at += 1) {
    const shape = { servers: Math.min(SERVERS_PER_STACK, servers), deployments: 1 };
    stacks.push(await createStack(client, `fleet${at}`, fleetTemplate(shape, 1)));
  }
  const urls = [];
  for (const stack of stacks) urls.push(...(await metadataUrls(client, stack)));
  const first = openPhase();
  const fleet = startFleet(urls, interval * MS_PER_SECOND, first, newConnections);
  await Promise.all(stacks.map((stack) => ends(client, stack, "CREATE_COMPLETE")));
  return { fleet, first };
};

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-soak-"));
const host = await startTlsHost(folder);
try {
  const client = openClient({ endpoint: host.url, project: "demo" });
  const data = join(folder, "data");
  const report = async (name: string, phase: Phase, more: readonly string[]): Promise<void> => {
    const { process: used } = Process.parse(await (await fetch(`${host.url}/_dev/process`)).json());
    const cpu = Math.round((used.cpu_user_us + used.cpu_system_us) / 1e6);
    console.log(`${name}:`);
    for (const line of [
      `polls ${spread(phase.polls)}, refused ${phase.refused}`,
      ...more,
      `memory ${megabytes(used.rss_bytes)} (at most ${megabytes(used.rss_bytes_max)}), folder ${megabytes(sizeOf(data))}, processor time so far ${cpu} s`,
    ])
      console.log(`  ${line}`);
  };
  const { fleet, first } = await startServers(client);
  await report(`${servers} servers, a poll every ${interval} s`, first, []);
  const busy = openPhase();
  fleet.enter(busy);
  const lives = await playLives(client, { living, ended, atOnce: WRITERS });
  await report(`${living} stacks created, ${ended} created and deleted`, busy, [
    `answers to writes ${spread(lives.writes)}`,
    `operations to their end ${spread(lives.ends)}`,
  ]);
  const rest = openPhase();
  fleet.enter(rest);
  await pause(REST_MS);
  await report("A minute of rest", rest, []);
  await fleet.stop();
  const lost = (await lostResults(client)) + (await missing(client, living));
  console.log(`${lost} stacks or results lost`);
  process.exitCode = lost === 0 ? 0 : 1;
} finally {
  await host.stop();
  rmSync(folder, { recursive: true });
}
