/** A poll of a server's agent: GET or HEAD /v1/agent/metadata/{server_id}. */
import { entityNotFound, gone } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { findServer } from "./agent-target.ts";
import { openContent, openObject } from "./config-content.ts";
import { Refusal, recordingRefusals } from "./evidence.ts";
import { type PublishedDeployment, renderMetadataDocument } from "./metadata-document.ts";
import type { DeploymentRecord, ServerRecord } from "./model.ts";
import {
  type AgentRequest,
  checkMethod,
  checkSignature,
  metadataUrl,
  parseSignatureQuery,
} from "./urls.ts";

export const METADATA_METHODS = ["GET", "HEAD"] as const;

const openDeployment = async (
  ports: Ports,
  record: DeploymentRecord,
): Promise<PublishedDeployment> => ({
  record,
  content: await openContent(ports.cipher, record, record.derivedConfig),
});

/** The server whose URL this is; throws the refusal of any other request. */
const admit = (
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

/**
 * Throws 405 for a method that is none of METADATA_METHODS, 403 for a bad signature, 404 for an unknown server and 410 where
 * the URL was revoked, and records each; agents survive all of them and poll on.
 */
export const serveMetadata = async (
  ports: Ports,
  serverId: string,
  request: AgentRequest,
): Promise<JsonObject> => {
  const { subject, target } = await findServer(ports, serverId);
  const server = await recordingRefusals(ports, target, async () =>
    admit(ports, serverId, subject, request),
  );
  const records = await ports.softwareConfigs.listDeployments(serverId);
  const published = records
    .filter((record) => record.tenant === server.tenant)
    .map((record) => openDeployment(ports, record));
  const view = {
    metadataUrl: metadataUrl(ports, server),
    metadata: await openObject(ports.cipher, server, server.metadata),
  };
  return renderMetadataDocument(view, await Promise.all(published));
};
