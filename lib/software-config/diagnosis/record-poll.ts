/**
 * What is noted of a poll. It costs one read of the server's sighting; a write only where it brings something new, or where
 * the last one noted is older than POLL_NOTE_INTERVAL_MS. A version that is served or told to be applied for the first
 * time costs a query and one write for each delivery that is new in it: thus a few writes for each run, however often is polled.
 */
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import {
  type DeliveryFindings,
  type DeliverySighting,
  NOTHING_SEEN_OF_SERVER,
  type ServerFindings,
} from "#lib/model/sighting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { asNote } from "../agent-requests/best-effort-write.ts";
import type { UrlQuery } from "../agent-requests/urls.ts";
import { openContent } from "../configs/config-content.ts";
import { awaitsSignal } from "../configs/derive-config.ts";
import { isDocumentVersion } from "../document/document-version.ts";
import { toolOf } from "../document/metadata-document.ts";
import {
  ADDRESS_CHARS_MAX,
  AGENT_CHARS_MAX,
  DELIVERY_SIGHTING_MS_MAX,
  POLL_NOTE_INTERVAL_MS,
  SERVER_SIGHTING_MS_MAX,
  TOOLS_CHARS_MAX,
} from "./limits.ts";

/** As the gateway tells it. */
export interface Sender {
  readonly address: string | null;
  readonly agent: string | null;
}

export interface Poll {
  readonly query: UrlQuery;
  readonly sender: Sender;
}

/** What the poll is answered with. */
export interface ServedDocument {
  readonly version: string;
  readonly records: readonly DeploymentRecord[];
}

const BOOT_STEPS = new Map<string | undefined, keyof ServerFindings>([
  ["begun", "bootBegunAt"],
  ["installed", "bootInstalledAt"],
  ["failed", "bootFailedAt"],
]);

const ID = /^[0-9a-f-]{36}$/;
const TOOLS = /^[A-Za-z0-9_,-]*$/;

/** Printable ASCII, as it is to stand in an answer. */
const shortened = (text: string | null, charsMax: number): string | null =>
  text === null ? null : text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, charsMax);

/** Null where the agent does not tell. */
const toolsOf = ({ hooks }: UrlQuery): readonly string[] | null =>
  hooks === undefined || hooks.length > TOOLS_CHARS_MAX || !TOOLS.test(hooks)
    ? null
    : hooks.split(",").filter((name) => name !== "");

const sameTools = (left: readonly string[] | null, right: readonly string[] | null): boolean =>
  left?.join() === right?.join();

interface News {
  /** This version has not been served before. */
  readonly isServed: boolean;
  /** The version that was served last is told to be applied, for the first time. */
  readonly isApplied: boolean;
  readonly findings: Partial<ServerFindings>;
}

/** Null: nothing that is worth a write. */
export const newsOf = (
  known: ServerFindings,
  { query, sender }: Poll,
  version: string,
  now: number,
): News | null => {
  const { applied, unsent } = query;
  const isServed = version !== known.servedVersion;
  const isEcho = applied !== undefined && isDocumentVersion(applied);
  const isApplied = isEcho && applied === known.servedVersion && applied !== known.appliedVersion;
  const tools = toolsOf(query);
  const unsentConfigId = unsent !== undefined && ID.test(unsent) ? unsent : null;
  const isDue = known.lastPollAt === null || now - known.lastPollAt >= POLL_NOTE_INTERVAL_MS;
  const isOther = unsentConfigId !== known.unsentConfigId || !sameTools(tools, known.tools);
  if (!isServed && !isApplied && !isOther && !isDue) return null;
  const findings: Partial<ServerFindings> = {
    lastPollAt: now,
    address: shortened(sender.address, ADDRESS_CHARS_MAX),
    agent: shortened(sender.agent, AGENT_CHARS_MAX),
    tools,
    unsentConfigId,
    ...(known.firstPollAt === null ? { firstPollAt: now } : {}),
    ...(isServed ? { servedVersion: version, servedAt: now } : {}),
    ...(isApplied ? { appliedVersion: applied, appliedAt: now } : {}),
  };
  return { isServed, isApplied, findings };
};

/** A record that has stood longer than sightings are kept was fetched before, and that has been forgotten. */
const isRecent = ({ updatedAt }: DeploymentRecord, now: number): boolean =>
  now - updatedAt < DELIVERY_SIGHTING_MS_MAX;

const fetchedFindings = async (
  { cipher }: Ports,
  record: DeploymentRecord,
  now: number,
): Promise<Partial<DeliveryFindings>> => {
  const content = await openContent(cipher, record, record.derivedConfig);
  const isUntouched = record.status === "IN_PROGRESS" || !awaitsSignal(content);
  return {
    fetchedAt: now,
    tool: toolOf({ record, content }),
    ...(isUntouched ? { publishedAt: record.updatedAt } : {}),
  };
};

const recordDeliveries = async (
  ports: Ports,
  records: readonly DeploymentRecord[],
  { isServed, isApplied }: News,
  now: number,
): Promise<void> => {
  const [first] = records;
  if (first === undefined || !(isServed || isApplied)) return;
  const listed = await ports.softwareConfigs.listDeliveries(first.serverId);
  const known = new Map<string, DeliverySighting>(listed.map((one) => [one.derivedConfigId, one]));
  for (const record of records) {
    const { tenant, stackId, serverId, derivedConfigId, id: deploymentId } = record;
    const seen = known.get(derivedConfigId);
    const wasFetched = seen !== undefined && seen.fetchedAt !== null;
    const isFetched = isServed && !wasFetched && isRecent(record, now);
    // Whatever had been fetched before this poll was in the version that it tells of.
    const isNowApplied = isApplied && wasFetched && seen.appliedAt === null;
    if (!isFetched && !isNowApplied) continue;
    const expiresAt = now + DELIVERY_SIGHTING_MS_MAX;
    await ports.softwareConfigs.noteDelivery(
      { tenant, stackId, serverId, expiresAt, deploymentId, derivedConfigId },
      isFetched ? await fetchedFindings(ports, record, now) : { appliedAt: now },
    );
  }
};

/**
 * The deliveries are noted first: if it ends in between, the next poll finds the version as new as this one did. Only a
 * step of a boot is told once; its sender hears that it was not noted.
 */
export const recordPoll = async (
  ports: Ports,
  { tenant, stackId, id: serverId }: ServerRecord,
  poll: Poll,
  { version, records }: ServedDocument,
): Promise<void> => {
  const { softwareConfigs, clock } = ports;
  const now = clock.now();
  const server = { tenant, stackId, serverId, expiresAt: now + SERVER_SIGHTING_MS_MAX };
  const step = BOOT_STEPS.get(poll.query["boot"]);
  // It is the bootstrap script's, and says nothing of the agent.
  if (step !== undefined) return softwareConfigs.noteServer(server, { [step]: now });
  await asNote(async () => {
    const known = (await softwareConfigs.getServerSighting(serverId)) ?? NOTHING_SEEN_OF_SERVER;
    const news = newsOf(known, poll, version, now);
    if (news === null) return;
    await recordDeliveries(ports, records, news, now);
    await softwareConfigs.noteServer(server, news.findings);
  });
};
