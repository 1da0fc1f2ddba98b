/** An hour of polls at 30 s, by idle servers, on a virtual clock: what one poll costs. */
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { lambdaContext } from "#host/lambda-events.ts";
import type { AwsConnection } from "#lib/adapters/aws/clients.ts";
import type { AwsPlace } from "#lib/adapters/aws/open-aws.ts";
import { Bug, present } from "#lib/errors.ts";
import { pollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { handler } from "../../functions/agent-polls/handler.ts";
import { firstUrl, openSite, pollEvent } from "./site.ts";

const POLL_MS = 30_000;
const POLLS = 120;
const CALL_MS_MAX = 29_000;

export interface Fleet {
  readonly servers: number;
  readonly deployments: number;
  /** How many workers share the polls, in turn. */
  readonly workers: number;
}

/** All numbers but the last are per poll. */
export interface PolledHour {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly reads: number;
  readonly writes: number;
  /** Of the answer as it is sent: compressed. */
  readonly bytes: number;
  readonly polls: number;
}

const documentShape = z.object({
  "os-collect-config": z.object({ request: z.object({ metadata_url: z.string() }) }),
});

export const pollForAnHour = async (
  connection: AwsConnection,
  place: AwsPlace,
  fleet: Fleet,
): Promise<PolledHour> => {
  const site = await openSite(connection, place, fleet);
  const workers = Array.from({ length: fleet.workers }, (_, at) =>
    handler(site.ports, pollMemory(`${site.servers[0]?.id}-${at}`), "https://{host}"),
  );
  const urls = site.servers.map((server) => firstUrl(site, server));
  let turn = 0;
  let bytes = 0;
  const pollOnce = async (at: number): Promise<void> => {
    const poll = present(workers[turn++ % workers.length], "a worker");
    const event = pollEvent(present(urls[at], "a URL"));
    const answer = await poll(event, lambdaContext("agent-polls", CALL_MS_MAX));
    if (answer.statusCode !== 200) throw new Bug(`a poll got ${answer.statusCode}`);
    const sent = Buffer.from(answer.body, answer.isBase64Encoded ? "base64" : "utf8");
    bytes += sent.length;
    const text = answer.isBase64Encoded ? gunzipSync(sent).toString() : answer.body;
    urls[at] = documentShape.parse(JSON.parse(text))["os-collect-config"].request.metadata_url;
  };
  const everyServer = async (): Promise<void> => {
    for (let at = 0; at < urls.length; at++) await pollOnce(at);
    site.clock.advance(POLL_MS);
  };
  // The first polls fetch and apply the document. After that the servers are idle.
  for (let round = 0; round < 2 * fleet.workers + 1; round++) await everyServer();
  site.adapter.usage.reset();
  bytes = 0;
  for (let round = 0; round < POLLS; round++) await everyServer();
  const { readUnits, writeUnits, requests } = site.adapter.usage.read();
  site.adapter.close();
  const polls = POLLS * urls.length;
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
