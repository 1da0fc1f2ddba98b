/**
 * A poll of a server's agent: GET or HEAD /v1/agent/metadata/{server_id}.
 *
 * Stock agents send a HEAD before each GET and ignore its answer, so a HEAD is answered at once. It
 * tells nobody anything.
 *
 * The URL of a poll names the version that its agent has applied. An eventual read is enough to see
 * that this version is still the current one. Everything else is read strongly: a new document, a
 * refusal, and a server that is not there. So no agent ever gets an older document than before.
 */
import { entityNotFound, gone } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { findServer, isId } from "../agent-requests/agent-target.ts";
import { Refusal, recordingRefusals } from "../agent-requests/evidence.ts";
import {
  type AgentRequest,
  appliedUrl,
  checkMethod,
  checkSignature,
  metadataUrl,
  parseSignatureQuery,
} from "../agent-requests/urls.ts";
import { openContent, openObject } from "../configs/config-content.ts";
import type { Sender } from "../diagnosis/poll-changes.ts";
import type { PollMemory } from "../diagnosis/poll-memory.ts";
import { recordPoll } from "../diagnosis/record-poll.ts";
import { documentEtag, documentVersion, isDocumentVersion, namesEtag } from "./document-version.ts";
import { type PublishedDeployment, renderMetadataDocument } from "./metadata-document.ts";

export const METADATA_METHODS = ["GET", "HEAD"] as const;

const openDeployment = async (
  ports: Ports,
  record: DeploymentRecord,
): Promise<PublishedDeployment> => ({
  record,
  content: await openContent(ports.cipher, record, record.derivedConfig),
});

/** Throws the refusal if the request is not for this server or its signature is wrong. */
const verifyRequest = (
  ports: Ports,
  serverId: string,
  server: ServerRecord | null,
  { method, query }: AgentRequest,
): ServerRecord => {
  checkMethod(METADATA_METHODS, method);
  const signature = parseSignatureQuery(query);
  if (server === null) throw new Refusal("wrong_scope", entityNotFound("Server", serverId));
  checkSignature(ports, { tenant: server.tenant, kind: "metadata", id: serverId }, signature);
  if (signature.gen !== server.gen) {
    throw new Refusal("revoked", gone("This URL has been revoked."));
  }
  return server;
};

export interface PollRequest extends AgentRequest {
  readonly ifNoneMatch?: string | undefined;
  readonly sender?: Sender;
}

export interface ServedMetadata {
  /** Null: nothing to send, for HEAD or an unchanged document. */
  readonly document: JsonObject | null;
  /** Null: a HEAD, for which nothing was looked up. */
  readonly etag: string | null;
  /** The agent already has this version. */
  readonly isUnchanged: boolean;
}

const UNKNOWN_SENDER: Sender = { address: null, agent: null };

interface ReadDocument {
  readonly server: ServerRecord;
  readonly records: readonly DeploymentRecord[];
  readonly version: string;
}

const documentOf = (
  { ids }: Ports,
  server: ServerRecord,
  listed: readonly DeploymentRecord[],
): ReadDocument => {
  const records = listed.filter((record) => record.tenant === server.tenant);
  return { server, records, version: documentVersion(ids, server, records) };
};

const isAccepted = (...request: Parameters<typeof verifyRequest>): boolean => {
  try {
    verifyRequest(...request);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
};

/** Null: the agent has not applied this version, or the request may have to be refused. */
const readEventually = async (
  ports: Ports,
  serverId: string,
  request: PollRequest,
): Promise<ReadDocument | null> => {
  const { applied } = request.query;
  if (applied === undefined || !isDocumentVersion(applied) || !isId(serverId)) return null;
  const { server, deployments } = await ports.softwareConfigs.getServerDocument(
    serverId,
    "eventual",
  );
  if (server === null || !isAccepted(ports, serverId, server, request)) return null;
  const document = documentOf(ports, server, deployments);
  return document.version === applied ? document : null;
};

const readStrongly = async (
  ports: Ports,
  serverId: string,
  request: PollRequest,
): Promise<ReadDocument> => {
  const { subject, target } = await findServer(ports, serverId);
  const server = await recordingRefusals(ports, target, async () =>
    verifyRequest(ports, serverId, subject, request),
  );
  return documentOf(ports, server, await ports.softwareConfigs.listDeployments(serverId));
};

/**
 * Throws 405 for another method, 403 for a bad signature, 404 for an unknown server and 410 for a
 * revoked URL. Each leaves evidence. Agents survive all of them and poll on.
 *
 * It reads the server with its deployments and records the poll (diagnosis/record-poll.ts). Only a
 * document that is sent is decrypted. `memory` is that of a worker that serves many polls.
 */
export const serveMetadata = async (
  ports: Ports,
  serverId: string,
  request: PollRequest,
  memory: PollMemory | null = null,
): Promise<ServedMetadata> => {
  if (request.method === "HEAD") return { document: null, etag: null, isUnchanged: false };
  const read =
    (await readEventually(ports, serverId, request)) ??
    (await readStrongly(ports, serverId, request));
  const { server, records, version } = read;
  const { query, sender = UNKNOWN_SENDER, ifNoneMatch } = request;
  await recordPoll(ports, server, { query, sender }, { version, records }, memory);
  const url = appliedUrl(metadataUrl(ports, server), version);
  const etag = documentEtag(ports.ids, version, url);
  const isUnchanged = namesEtag(ifNoneMatch, etag);
  if (isUnchanged) return { document: null, etag, isUnchanged };
  const view = {
    metadataUrl: url,
    metadata: await openObject(ports.cipher, server, server.metadata),
  };
  const published = await Promise.all(records.map((record) => openDeployment(ports, record)));
  return { document: renderMetadataDocument(view, published), etag, isUnchanged: false };
};
