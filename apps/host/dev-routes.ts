/**
 * `/_dev` shows the host's state, for people and for tests from outside. Only a host on the
 * loopback interface without tokens answers it.
 */
import type { APIGatewayProxyResult } from "aws-lambda";
import { proxyResult } from "#functions/http-event.ts";
import { faultResponse } from "#lib/api/errors.ts";
import { isoTime, jsonResponse } from "#lib/api/http.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { FakeObject } from "#lib/ports/fake-provider.ts";
import { readEngine } from "#lib/stepping/read-engine.ts";
import type { SteppedEngine } from "#lib/stepping/step-mode.ts";
import { type AnswerWriting, refuseWriting, writingRoute } from "#lib/stepping/step-routes.ts";
import { feedChanges } from "./change-feed.ts";
import { type HostPorts, type StepPorts, shownEngine } from "./host-ports.ts";
import type { HttpRequest } from "./lambda-events.ts";
import { failures, queueHandlers } from "./queue-poller.ts";

export const DEV_PREFIX = "/_dev/";

type DevRequest = Pick<HttpRequest, "method" | "path" | "search" | "body">;

export const answerDev = async (
  host: HostPorts,
  answerWriting: AnswerWriting,
  { method, path, search, body }: DevRequest,
): Promise<APIGatewayProxyResult> => {
  const name = path.slice(DEV_PREFIX.length);
  const writing = writingRoute(name);
  const allowed = writing === null ? "GET" : "POST";
  if (method !== allowed)
    return proxyResult(faultResponse(405, "HTTPMethodNotAllowed", undefined, { Allow: allowed }));
  if (writing !== null) return proxyResult(await answerWriting(writing, body));
  const document =
    (await readEngine(shownEngine(host), name, search, answerWriting !== refuseWriting)) ??
    (await read(host, name, search));
  return proxyResult(
    document === null ? faultResponse(404, "HTTPNotFound") : jsonResponse(200, document),
  );
};

const read = async (host: HostPorts, name: string, search: URLSearchParams): Promise<Json> => {
  switch (name) {
    case "resources":
      return { resources: (await host.fakeProvider.list()).map(objectDocument) };
    case "evidence":
      return { evidence: await evidenceOf(host, search.get("server_id") ?? "") };
    case "counters":
      return { counters: { ...host.database.counters.read() } };
    case "process":
      return { process: processDocument(host) };
    default:
      return null;
  }
};

const processDocument = ({ database }: HostPorts): JsonObject => {
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  const { statements, transactions } = database.usage();
  return {
    pid: process.pid,
    cpu_user_us: user,
    cpu_system_us: system,
    rss_bytes: memory.rss,
    heap_bytes: memory.heapUsed,
    external_bytes: memory.external,
    rss_bytes_max: process.resourceUsage().maxRSS * 1024,
    sql_statements: statements,
    sql_transactions: transactions,
  };
};

const objectDocument = (object: FakeObject): JsonObject => ({
  physical_id: object.physicalId,
  stack_name: object.stackName,
  logical_name: object.logicalName,
  type: object.type,
  properties: object.properties,
});

const evidenceOf = async ({ ports }: HostPorts, serverId: string): Promise<JsonObject[]> => {
  const evidence = await ports.softwareConfigs.listEvidence(serverId);
  return evidence.map(({ deploymentId, kind, count, firstSeenAt, lastSeenAt }) => ({
    server_id: serverId,
    deployment_id: deploymentId,
    kind,
    count,
    first_seen_at: isoTime(firstSeenAt),
    last_seen_at: isoTime(lastSeenAt),
  }));
};

export const steppedEngine = (host: StepPorts): SteppedEngine => {
  const { ports, database, clock, faults, streams } = host;
  const handlers = queueHandlers(ports);
  return {
    ...shownEngine(host),
    queue: database.queue,
    clock,
    faults,
    handle: (queue, messages, limitMs) =>
      failures({ queue, handler: handlers[queue], limitMs }, messages),
    feed: () => feedChanges(database.changes, ports, streams.announce),
    purgeExpired: database.purgeExpired,
  };
};

export const resetHost = ({ database, objects, faults }: StepPorts): void => {
  database.clear();
  objects.clear();
  faults.clearFaults();
};
