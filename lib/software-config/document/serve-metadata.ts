/**
 * A poll of a server's agent: GET or HEAD /v1/agent/metadata/{server_id}.
 * Stock agents send a HEAD before each GET and ignore its answer. So a HEAD is answered at once,
 * without any lookup, and reveals nothing.
 */
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { isId } from "../agent-requests/agent-target.ts";
import { type AgentRequest, appliedUrl, metadataUrl } from "../agent-requests/urls.ts";
import { openDerivedConfig, openServerMetadata } from "../configs/config-content.ts";
import { withCurrentSignalUrl } from "../deployments/delivery.ts";
import type { Sender } from "../diagnosis/poll-changes.ts";
import type { PollMemory } from "../diagnosis/poll-memory.ts";
import { recordPoll } from "../diagnosis/record-poll.ts";
import type { ReadDocument } from "./document-memory.ts";
import { documentEtag, namesEtag } from "./document-version.ts";
import { type PublishedDeployment, renderMetadataDocument } from "./metadata-document.ts";
import { refuseNewerLife, withLife } from "./proven-life.ts";
import { readDocument, readStrongly } from "./read-document.ts";
import { serveRunState } from "./serve-run-state.ts";

const openDeployment = async (
  ports: Ports,
  record: DeploymentRecord,
): Promise<PublishedDeployment> => ({
  record,
  content: withCurrentSignalUrl(ports, record, await openDerivedConfig(ports.cipher, record)),
});

export interface PollRequest extends AgentRequest {
  readonly ifNoneMatch?: string | undefined;
  readonly sender?: Sender;
}

export interface ServedMetadata {
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
  const isUnchanged = namesEtag(ifNoneMatch, etag);
  if (isUnchanged) return { document: null, etag, isUnchanged };
  const view = {
    metadataUrl: url,
    metadata: await openServerMetadata(ports.cipher, server),
  };
  const published: PublishedDeployment[] = [];
  for (const record of records) {
    await pauseIfDue(ports);
    published.push(await openDeployment(ports, record));
  }
  return { document: renderMetadataDocument(view, published), etag, isUnchanged: false };
};
