/**
 * Notes on a poll. Each poll costs one read of the server's sighting. It costs a write only if it
 * brings something new, or if the last noted poll is older than POLL_NOTE_INTERVAL_MS. A version
 * that is newly served or applied costs a query, and one write per new delivery. So a run costs a
 * few writes, however often its server polls. A worker with a memory avoids most of these reads,
 * and notes many servers with one write of a roll (poll-memory.ts).
 * The first poll of a server is more than evidence: a DELETE waits for a server that was seen
 * (deployments/start-deployment.ts). So if the store is too busy to note it, the poll is refused.
 */
import {
  type DeliveryFindings,
  type DeliverySighting,
  NOTHING_SEEN_OF_SERVER,
  type ServerFindings,
} from "#lib/model/sighting.ts";
import type { DeploymentRecord, ServerRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { bestEffortWrite } from "../agent-requests/evidence.ts";
import type { UrlQuery } from "../agent-requests/urls.ts";
import { openDerivedConfig } from "../configs/config-content.ts";
import { awaitsSignal } from "../configs/derive-config.ts";
import { isDocumentVersion } from "../document/document-version.ts";
import { toolOf } from "../document/metadata-document.ts";
import {
  ADDRESS_CHARS_MAX,
  AGENT_CHARS_MAX,
  DELIVERY_SIGHTING_MS_MAX,
  POLL_NOTE_INTERVAL_MS,
  POLL_SIGHTING_INTERVAL_MS,
  REMEMBERED_MS_MAX,
  SERVER_SIGHTING_MS_MAX,
  TOOLS_CHARS_MAX,
} from "./limits.ts";
import type { KnownServer, PollMemory } from "./poll-memory.ts";

interface ServedDocument {
  readonly version: string;
  readonly records: readonly DeploymentRecord[];
}

const BOOT_STEPS = new Map<string | undefined, keyof ServerFindings>([
  ["begun", "bootBegunAt"],
  ["installed", "bootInstalledAt"],
  ["failed", "bootFailedAt"],
]);

/**
 * Deliveries are noted before the server: after a crash in between, the next poll still finds the
 * version new. The bootstrap script reports a step once, so it gets an error if the note fails.
 * @returns whether this was the first poll of the server. Then the document must be read again.
 */
export const recordPoll = async (
  ports: Ports,
  { tenant, stackId, id: serverId }: ServerRecord,
  poll: Poll,
  { version, records }: ServedDocument,
  memory: PollMemory | null = null,
): Promise<boolean> => {
  const { softwareConfigs, clock } = ports;
  const now = clock.now();
  const server = { tenant, stackId, serverId, expiresAt: now + SERVER_SIGHTING_MS_MAX };
  const step = BOOT_STEPS.get(poll.query["boot"]);
  if (step !== undefined) {
    await softwareConfigs.noteServer(server, { [step]: now });
    return false;
  }
  let isFirst = false;
  // A document that is reported as applied was served after a noted poll.
  const mayBeFirst = poll.query["applied"] === undefined && !memory?.known(serverId);
  const note = async (): Promise<void> => {
    if (memory !== null && (await noteInRoll(ports, memory, serverId, poll, version))) return;
    const known = (await softwareConfigs.getServerSighting(serverId)) ?? NOTHING_SEEN_OF_SERVER;
    const changes = pollChanges(known, poll, version, now);
    isFirst = known.firstPollAt === null;
    if (changes !== null) {
      await recordDeliveries(ports, records, changes, now);
      await softwareConfigs.noteServer(server, changes.findings);
    }
    memory?.remember(serverId, { ...known, ...changes?.findings }, now);
  };
  await (mayBeFirst ? note() : bestEffortWrite(note));
  return isFirst;
};

/** Another worker may have written since, so after REMEMBERED_MS_MAX the record is read again. */
const recall = async (
  softwareConfigs: Pick<Ports["softwareConfigs"], "getServerSighting">,
  memory: PollMemory,
  serverId: string,
  now: number,
): Promise<KnownServer | null> => {
  const known = memory.known(serverId);
  if (known === null || now - known.readAt < REMEMBERED_MS_MAX) return known;
  const stored = await softwareConfigs.getServerSighting(serverId);
  if (stored === null) return null;
  memory.remember(serverId, stored, now);
  return memory.known(serverId);
};

/** @returns false if the poll must be compared with the stored sighting, or noted in it */
const noteInRoll = async (
  { softwareConfigs, clock }: Ports,
  memory: PollMemory,
  serverId: string,
  poll: Poll,
  version: string,
): Promise<boolean> => {
  const now = clock.now();
  const known = await recall(softwareConfigs, memory, serverId, now);
  const changes = known && pollChanges(known.findings, poll, version, now);
  if (known === null || changes?.hasNews) return false;
  const isSightingOld = now - known.sightedAt >= POLL_SIGHTING_INTERVAL_MS;
  if (isSightingOld || !memory.call(serverId, now)) return false;
  if (changes === null) return true;
  const shard = memory.shardOf(serverId);
  if (!memory.isAlone(shard, now))
    memory.learn(shard, await softwareConfigs.listPollRolls(shard), now);
  const findings = memory.known(serverId)?.findings ?? known.findings;
  if (pollChanges(findings, poll, version, now) === null) return true;
  const roll = memory.rollOf(serverId, now);
  await softwareConfigs.putPollRoll(roll);
  memory.noted(roll);
  return true;
};

const recordDeliveries = async (
  ports: Ports,
  records: readonly DeploymentRecord[],
  { isNewlyServed, isNewlyApplied }: PollChanges,
  now: number,
): Promise<void> => {
  const [first] = records;
  if (first === undefined || !(isNewlyServed || isNewlyApplied)) return;
  const listed = await ports.softwareConfigs.listDeliveries(first.serverId);
  const known = new Map<string, DeliverySighting>(listed.map((one) => [one.derivedConfigId, one]));
  for (const record of records) {
    const { tenant, stackId, serverId, derivedConfigId, id: deploymentId } = record;
    const seen = known.get(derivedConfigId);
    const wasFetched = seen !== undefined && seen.fetchedAt !== null;
    const isFetched = isNewlyServed && !wasFetched && isRecent(record, now);
    // Deliveries fetched before this poll were in the version that it reports as applied.
    const isApplied = isNewlyApplied && wasFetched && seen.appliedAt === null;
    if (!isFetched && !isApplied) continue;
    const expiresAt = now + DELIVERY_SIGHTING_MS_MAX;
    await ports.softwareConfigs.noteDelivery(
      { tenant, stackId, serverId, expiresAt, deploymentId, derivedConfigId },
      isFetched ? await fetchedFindings(ports, record, now) : { appliedAt: now },
    );
  }
};

/** The sighting of an older record has expired, so it was fetched before. */
const isRecent = ({ updatedAt }: DeploymentRecord, now: number): boolean =>
  now - updatedAt < DELIVERY_SIGHTING_MS_MAX;

/** Until a result changes the record, its last write was the publishing. */
const fetchedFindings = async (
  { cipher }: Ports,
  record: DeploymentRecord,
  now: number,
): Promise<Partial<DeliveryFindings>> => {
  const content = await openDerivedConfig(cipher, record);
  const fetched = { fetchedAt: now, tool: toolOf({ record, content }) };
  const isUnchanged = record.status === "IN_PROGRESS" || !awaitsSignal(content);
  return isUnchanged ? { ...fetched, publishedAt: record.updatedAt } : fetched;
};

export interface Sender {
  readonly address: string | null;
  readonly agent: string | null;
}

export interface Poll {
  readonly query: UrlQuery;
  readonly sender: Sender;
}

interface PollChanges {
  readonly isNewlyServed: boolean;
  readonly isNewlyApplied: boolean;
  readonly hasNews: boolean;
  readonly findings: Partial<ServerFindings>;
}

/** @returns null if nothing is worth a write */
const pollChanges = (
  known: ServerFindings,
  poll: Poll,
  version: string,
  now: number,
): PollChanges | null => {
  const { applied, unsent } = poll.query;
  const isNewlyServed = version !== known.servedVersion;
  const appliedVersion = applied !== undefined && isDocumentVersion(applied) ? applied : null;
  const isNewlyApplied =
    appliedVersion !== null &&
    appliedVersion === known.servedVersion &&
    appliedVersion !== known.appliedVersion;
  const tools = toolsOf(poll.query);
  const unsentConfigId = unsent !== undefined && ID.test(unsent) ? unsent : null;
  const isDue = known.lastPollAt === null || now - known.lastPollAt >= POLL_NOTE_INTERVAL_MS;
  const hasNewReport = unsentConfigId !== known.unsentConfigId || !sameTools(tools, known.tools);
  const hasNews = isNewlyServed || isNewlyApplied || hasNewReport || known.firstPollAt === null;
  if (!hasNews && !isDue) return null;
  const first = known.firstPollAt === null ? { firstPollAt: now } : {};
  const served = isNewlyServed ? { servedVersion: version, servedAt: now } : {};
  const application = isNewlyApplied ? { appliedVersion, appliedAt: now } : {};
  const findings: Partial<ServerFindings> = {
    lastPollAt: now,
    address: printable(poll.sender.address, ADDRESS_CHARS_MAX),
    agent: printable(poll.sender.agent, AGENT_CHARS_MAX),
    tools,
    unsentConfigId,
    ...first,
    ...served,
    ...application,
  };
  return { isNewlyServed, isNewlyApplied, hasNews, findings };
};

const ID = /^[0-9a-f-]{36}$/;
const TOOLS = /^[A-Za-z0-9_,-]*$/;

/** The text becomes part of an answer, so it must be printable ASCII. */
const printable = (text: string | null, charsMax: number): string | null =>
  text === null ? null : text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, charsMax);

const toolsOf = ({ hooks }: UrlQuery): readonly string[] | null =>
  hooks === undefined || hooks.length > TOOLS_CHARS_MAX || !TOOLS.test(hooks)
    ? null
    : hooks.split(",").filter((name) => name !== "");

const sameTools = (left: readonly string[] | null, right: readonly string[] | null): boolean =>
  left?.join() === right?.join();
