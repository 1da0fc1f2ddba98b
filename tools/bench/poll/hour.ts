/**
 * Computes the cost of a poll: idle servers poll every 30 s at random moments, for an hour on a
 * virtual clock, or less for large fleets.
 */
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { lambdaContext } from "#host/lambda-events.ts";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import type { AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import { Bug, present } from "#lib/errors.ts";
import { pollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { handler } from "../../../functions/agent-polls/handler.ts";
import { firstUrl, openSite, pollEvent } from "./site.ts";

const POLL_MS = 30_000;
const POLLS = 120;
/** The emulator keeps 64 KB of each poll in memory, so fewer rounds are counted in large fleets. */
const COUNTED_POLLS_MAX = 12_000;
const ROUNDS_MIN = 15;
const CALL_MS_MAX = 29_000;
/** Before the count, documents are fetched and applied, and workers have cached their fleet. */
const WARM_POLLS = 10;
/** Assumed. A worker serves one poll at a time. */
const BUSY_MS = 13;
const SEED = 1;

export interface Fleet {
  readonly servers: number;
  readonly deployments: number;
  readonly workers: number;
  /**
   * Which worker gets a poll: the first free one, or all in turn. Lambda does not document how it
   * chooses.
   */
  readonly choice: "first free" | "in turn";
}

export interface PolledHour {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly reads: number;
  readonly writes: number;
  readonly bytes: number;
  readonly polls: number;
}

interface Worker {
  readonly poll: ReturnType<typeof handler>;
  busyUntil: number;
}

/** If no worker is free, the first one is used. Lambda would start another one. */
const choose = (
  workers: readonly Worker[],
  { choice }: Fleet,
  turn: number,
  now: number,
): Worker => {
  const free = choice === "first free" ? workers.find(({ busyUntil }) => busyUntil <= now) : null;
  return free ?? present(workers[turn % workers.length], "a worker");
};

const documentShape = z.object({
  "os-collect-config": z.object({ request: z.object({ metadata_url: z.string() }) }),
});

export const pollForAnHour = async (
  connection: AwsConnection,
  place: AwsPlace,
  fleet: Fleet,
): Promise<PolledHour> => {
  const site = await openSite(connection, place, fleet);
  const workers = Array.from({ length: fleet.workers }, (_, at): Worker => {
    const memory = pollMemory(`${site.servers[0]?.id}-${at}`);
    return { poll: handler(site.ports, memory, "https://{host}"), busyUntil: 0 };
  });
  const random = memoryRandom(SEED);
  const clients = site.servers
    .map((server) => ({ url: firstUrl(site, server), phase: random.below(POLL_MS) }))
    .toSorted((left, right) => left.phase - right.phase);
  const start = site.clock.now();
  let turn = 0;
  let bytes = 0;
  const everyServer = async (round: number): Promise<void> => {
    for (const client of clients) {
      site.clock.advance(start + round * POLL_MS + client.phase - site.clock.now());
      const worker = choose(workers, fleet, turn++, site.clock.now());
      worker.busyUntil = site.clock.now() + BUSY_MS;
      const event = pollEvent(client.url);
      const answer = await worker.poll(event, lambdaContext("agent-polls", CALL_MS_MAX));
      if (answer.statusCode !== 200) throw new Bug(`a poll got ${answer.statusCode}`);
      const sent = Buffer.from(answer.body, answer.isBase64Encoded ? "base64" : "utf8");
      bytes += sent.length;
      const text = answer.isBase64Encoded ? gunzipSync(sent).toString() : answer.body;
      client.url = documentShape.parse(JSON.parse(text))["os-collect-config"].request.metadata_url;
    }
  };
  for (let round = 0; round < WARM_POLLS; round++) await everyServer(round);
  site.adapter.usage.reset();
  bytes = 0;
  const rounds = Math.min(POLLS, Math.max(ROUNDS_MIN, COUNTED_POLLS_MAX / fleet.servers));
  for (let round = 0; round < rounds; round++) await everyServer(WARM_POLLS + round);
  const { readUnits, writeUnits, requests } = site.adapter.usage.read();
  site.adapter.close();
  const polls = rounds * clients.length;
  const per = (...names: readonly string[]): number =>
    names.reduce((sum, name) => sum + (requests[`dynamodb ${name}`] ?? 0), 0) / polls;
  return {
    readUnits: readUnits / polls,
    writeUnits: writeUnits / polls,
    reads: per("GetItem", "Query"),
    writes: per("UpdateItem", "PutItem"),
    bytes: bytes / polls,
    polls,
  };
};
