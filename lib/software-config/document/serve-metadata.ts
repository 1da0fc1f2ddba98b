/** A poll of a server's agent: GET or HEAD /v1/agent/metadata/{server_id}. */
import { entityNotFound, gone } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { findServer } from "../agent-requests/agent-target.ts";
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
import { recordPoll } from "../diagnosis/record-poll.ts";
import { documentEtag, documentVersion, namesEtag } from "./document-version.ts";
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
  readonly etag: string;
  /** The agent already has this version. */
  readonly isUnchanged: boolean;
}

const UNKNOWN_SENDER: Sender = { address: null, agent: null };

/**
 * Throws 405 for another method, 403 for a bad signature, 404 for an unknown server and 410 for a
 * revoked URL. Each leaves evidence. Agents survive all of them and poll on.
 *
 * It reads the server and queries its deployments. A GET also records the poll
 * (diagnosis/record-poll.ts). Only a document that is sent is decrypted.
 */
export const serveMetadata = async (
  ports: Ports,
  serverId: string,
  request: PollRequest,
): Promise<ServedMetadata> => {
  const { subject, target } = await findServer(ports, serverId);
  const server = await recordingRefusals(ports, target, async () =>
    verifyRequest(ports, serverId, subject, request),
  );
  const listed = await ports.softwareConfigs.listDeployments(serverId);
  const records = listed.filter((record) => record.tenant === server.tenant);
  const version = documentVersion(ports.ids, server, records);
  const { method, query, sender = UNKNOWN_SENDER, ifNoneMatch } = request;
  const isHead = method === "HEAD";
  if (!isHead) await recordPoll(ports, server, { query, sender }, { version, records });
  const url = appliedUrl(metadataUrl(ports, server), version);
  const etag = documentEtag(ports.ids, version, url);
  const isUnchanged = namesEtag(ifNoneMatch, etag);
  if (isUnchanged || isHead) return { document: null, etag, isUnchanged };
  const view = {
    metadataUrl: url,
    metadata: await openObject(ports.cipher, server, server.metadata),
  };
  const published = await Promise.all(records.map((record) => openDeployment(ports, record)));
  return { document: renderMetadataDocument(view, published), etag, isUnchanged: false };
};
