/**
 * A poll of a server's agent: GET or HEAD /v1/agent/metadata/{server_id}.
 * Stock agents send a HEAD before each GET and ignore its answer. So a HEAD is answered at once,
 * without any lookup, and reveals nothing.
 */
import * as z from "zod/mini";
import { RetryLater } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { isId } from "../agent-requests/agent-target.ts";
import { type AgentRequest, appliedUrl, metadataUrl } from "../agent-requests/urls.ts";
import { openDerivedConfig, openServerMetadata } from "../configs/config-content.ts";
import { withCurrentSignalUrl } from "../deployments/delivery.ts";
import { isOwnTimeout } from "../deployments/operation-end.ts";
import type { PollMemory } from "../diagnosis/poll-memory.ts";
import { recordPoll, type Sender } from "../diagnosis/record-poll.ts";
import { DEPLOYMENT_CANCELLED } from "../signals/signal-decision.ts";
import type { ReadDocument } from "./document-memory.ts";
import { documentEtag, namesEtag } from "./document-version.ts";
import { type PublishedDeployment, renderMetadataDocument } from "./metadata-document.ts";
import { readDocument, readStrongly } from "./read-document.ts";

export interface PollRequest extends AgentRequest {
  readonly ifNoneMatch?: string | undefined;
  readonly sender?: Sender;
}

interface ServedMetadata {
  readonly document: JsonObject | null;
  readonly etag: string | null;
  readonly isUnchanged: boolean;
}

const UNKNOWN_SENDER: Sender = { address: null, agent: null };

/**
 * A first poll is noted before the document that it serves is read. A DELETE that is published in
 * between relies on that order (deployments/start-deployment.ts).
 */
const readAndNote = async (
  ports: Ports,
  serverId: string,
  request: PollRequest,
  memory: PollMemory | null,
): Promise<ReadDocument> => {
  const documents = memory?.documents ?? null;
  const { query, sender = UNKNOWN_SENDER } = request;
  const note = (document: ReadDocument): Promise<boolean> =>
    recordPoll(ports, document.server, { query, sender }, document, memory);
  const document = await readDocument(ports, serverId, request, documents);
  if (!(await note(document))) return document;
  const again = await readStrongly(ports, serverId, request, documents);
  await note(again);
  return again;
};

/**
 * Reads the document and records the poll (diagnosis/record-poll.ts). Only a document that is sent
 * is decrypted. Throws what readDocument throws; agents survive that and poll on.
 */
export const serveMetadata = async (
  ports: Ports,
  serverId: string,
  request: PollRequest,
  memory: PollMemory | null = null,
): Promise<ServedMetadata> => {
  if (request.method === "HEAD") return { document: null, etag: null, isUnchanged: false };
  refuseNewerLife(ports, serverId, request);
  const { running } = request.query;
  if (running !== undefined && isId(running)) {
    const document = await serveRunState(ports, serverId, request, running);
    return { document, etag: null, isUnchanged: false };
  }
  const { server, records, version } = await readAndNote(ports, serverId, request, memory);
  const { ifNoneMatch } = request;
  const url = appliedUrl(withLife(ports, server.id, metadataUrl(ports, server)), version);
  const etag = documentEtag(ports.ids, version, url, ports.reportUrl ?? ports.publicUrl);
  if (namesEtag(ifNoneMatch, etag)) return { document: null, etag, isUnchanged: true };
  const view = { metadataUrl: url, metadata: await openServerMetadata(ports.cipher, server) };
  const published: PublishedDeployment[] = [];
  for (const record of records) {
    await pauseIfDue(ports);
    const content = await openDerivedConfig(ports.cipher, record);
    published.push({ record, content: withCurrentSignalUrl(ports, record, content) });
  }
  return { document: renderMetadataDocument(view, published), etag, isUnchanged: false };
};

type RunState =
  | { readonly state: "awaited" | "overtaken" }
  | { readonly state: "stop"; readonly reason: string };

const runStateOf = (
  record: Pick<DeploymentRecord, "status" | "statusReason"> | null,
  isStopAsked: boolean,
): RunState => {
  if (isStopAsked) return { state: "stop", reason: "its owner has stopped it" };
  if (record === null) return { state: "overtaken" };
  const { status, statusReason } = record;
  if (status !== "FAILED") return { state: "awaited" };
  if (isOwnTimeout(statusReason)) return { state: "stop", reason: "its deployment has timed out" };
  return { state: statusReason === DEPLOYMENT_CANCELLED ? "overtaken" : "awaited" };
};

/**
 * Hearth's agent asks during a run whether to go on, by a GET of its metadata URL with
 * `&running=ID`. Stock agents do not ask. An answer:
 * {"running": {"id": "…", "state": "stop", "reason": "its owner has stopped it"}}
 * `awaited`: go on. `overtaken`: nobody waits for the result any longer, and the option `overtaken`
 * of the config says what follows. `stop`: end the run.
 * The request is not noted as a poll, because a poll proves that an agent runs nothing
 * (diagnosis/signs-of-life.ts).
 */
const serveRunState = async (
  ports: Ports,
  serverId: string,
  request: AgentRequest,
  id: string,
): Promise<JsonObject> => {
  const { server, records } = await readStrongly(ports, serverId, request, null);
  const record = records.find(({ derivedConfigId }) => derivedConfigId === id) ?? null;
  const delivery = await ports.softwareConfigs.getDelivery(serverId, id);
  const isStopAsked = delivery?.tenant === server.tenant && delivery.stopAskedAt !== null;
  return { running: { id, ...runStateOf(record, isStopAsked) } };
};

const proofSchema = z.object({
  life: z.string().check(z.regex(/^\d{1,15}$/)),
  life_kid: z.string(),
  life_sig: z.string(),
});

const grantOf = (serverId: string, life: number) =>
  ({ tenant: "", kind: "life", id: serverId, exp: 0, gen: life }) as const;

const withLife = (
  { signer, life = 0 }: Pick<Ports, "signer" | "life">,
  serverId: string,
  url: string,
): string => {
  if (life === 0) return url;
  const { kid, sig } = signer.sign(grantOf(serverId, life));
  return `${url}&life=${life}&life_kid=${encodeURIComponent(kid)}&life_sig=${encodeURIComponent(sig)}`;
};

/**
 * Detects that a host is older than its restored copy. The document that the copy serves names the
 * copy's life in its URL, signed for the agent's server. When the agent then polls the original
 * with that URL, the original knows that it is the older one, and stops. Both have the keys of the
 * backup; nobody else can sign such a proof.
 */
const refuseNewerLife = (
  ports: Pick<Ports, "signer" | "life" | "metNewerLife">,
  serverId: string,
  { query }: AgentRequest,
): void => {
  const { metNewerLife, signer, life: own = 0 } = ports;
  const proof = proofSchema.safeParse(query);
  if (metNewerLife === undefined || !proof.success) return;
  const life = Number(proof.data.life);
  const { life_kid: kid, life_sig: sig } = proof.data;
  if (life <= own || !signer.verify(grantOf(serverId, life), kid, sig)) return;
  metNewerLife(life);
  throw new RetryLater("a newer life of this folder serves the agent");
};
