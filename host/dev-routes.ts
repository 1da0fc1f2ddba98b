/**
 * `/_dev`: the host's state at this moment, for people and for tests from outside. On loopback
 * only.
 */
import type { APIGatewayProxyResult } from "aws-lambda";
import { proxyResult } from "#functions/http-event.ts";
import { faultResponse } from "#lib/api/errors.ts";
import { jsonResponse } from "#lib/api/http.ts";
import { isoTime } from "#lib/api/time.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { FakeObject } from "#lib/ports/fake-provider.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import type { HostPorts } from "./host-ports.ts";
import type { HttpRequest } from "./lambda-events.ts";
import { type AnswerWriting, refuseWriting, writingRoute } from "./step-routes.ts";
import { waitingDocuments } from "./waiting-visits.ts";

const MESSAGE_IDS_MAX = 1_000;

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
  const document = await read(host, name, search, answerWriting !== refuseWriting);
  return proxyResult(
    document === null ? faultResponse(404, "HTTPNotFound") : jsonResponse(200, document),
  );
};

const read = async (
  host: HostPorts,
  name: string,
  search: URLSearchParams,
  steps: boolean,
): Promise<Json> => {
  switch (name) {
    case "resources":
      return { resources: (await host.fakeProvider.list()).map(objectDocument) };
    case "rows":
      return rowsOf(host, search.get("stack_name") ?? "");
    case "evidence":
      return { evidence: await evidenceOf(host, search.get("server_id") ?? "") };
    case "messages":
      return { queues: queuesOf(host) };
    case "visits":
      return { steps, waiting: await waitingDocuments(host) };
    case "counters":
      return { counters: { ...host.database.counters.read() } };
    case "process":
      return { process: processDocument(host) };
    default:
      return null;
  }
};

/** What this process has used since its start, without the fake provider's file. */
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

const isLocked = (row: Resource, now: number): boolean =>
  row.operation !== null || (row.lease !== null && row.lease.expiresAt > now);

const rowDocument = (stack: Stack, row: Resource): JsonObject => ({
  uuid: row.id,
  stack_name: stack.name,
  name: row.name,
  physical_id: row.physicalResourceId,
  requires: [...row.requires],
  replaces: row.replaces,
  replaced_by: row.replacedBy,
  template_id: row.templateId,
  action: row.action,
  status: row.status,
  version: row.version,
  locked_by: row.lease?.token ?? null,
});

/** Tombstones are not listed. SyncPoints count only if their traversal still runs. */
const rowsOf = async (host: HostPorts, stackName: string): Promise<JsonObject> => {
  const { ports, database } = host;
  const stacks = database.stacksNamed(stackName);
  const now = ports.clock.now();
  const rows = await Promise.all(
    stacks.map(async (stack) => {
      const all = await ports.store.listResources(stack.id);
      return all.map((row) => ({ stack, row }));
    }),
  );
  const running = stacks.filter(({ status }) => status === "IN_PROGRESS");
  return {
    rows: rows
      .flat()
      .filter(({ row }) => isExtant(row))
      .map(({ stack, row }) => rowDocument(stack, row)),
    leftovers: {
      sync_points: database.countSyncPoints(running.map(({ traversalId }) => traversalId)),
      locks: rows.flat().filter(({ row }) => isLocked(row, now)).length,
    },
  };
};

const queuesOf = (host: HostPorts): JsonObject => {
  const byQueue = Map.groupBy(host.database.queue.messages(), ({ queue }) => queue);
  return Object.fromEntries(
    [...byQueue].map(([queue, messages]) => [
      queue,
      {
        count: messages.length,
        ids: messages.slice(0, MESSAGE_IDS_MAX).map(({ messageId }) => messageId),
      },
    ]),
  );
};
