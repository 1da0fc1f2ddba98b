/**
 * Reads what a poll's answer is rendered from, as cheaply as the poll allows.
 * The URL of a poll names the version that its agent has applied. An eventual read is enough to see
 * that this version is still current, and a worker that remembers the document reads only its
 * outline. New documents, refusals and missing servers are read strongly. So an agent never gets an
 * older document than before.
 */
import { entityNotFound, gone } from "#lib/errors.ts";
import type { ServerRecord } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ServerDocument } from "#lib/ports/software-config-store.ts";
import { findServer, isId } from "../agent-requests/agent-target.ts";
import { Refusal, recordingRefusals } from "../agent-requests/evidence.ts";
import {
  type AgentRequest,
  checkMethod,
  checkSignature,
  parseSignatureQuery,
} from "../agent-requests/urls.ts";
import type { DocumentMemory, ReadDocument } from "./document-memory.ts";
import { documentVersion, isDocumentVersion } from "./document-version.ts";

export const METADATA_METHODS = ["GET", "HEAD"] as const;

type UrlOwner = Pick<ServerRecord, "tenant" | "gen">;

const verifyRequest = <Owner extends UrlOwner>(
  ports: Ports,
  serverId: string,
  owner: Owner | null,
  { method, query }: AgentRequest,
): Owner => {
  checkMethod(METADATA_METHODS, method);
  const signature = parseSignatureQuery(query);
  if (owner === null) throw new Refusal("wrong_scope", entityNotFound("Server", serverId));
  checkSignature(ports, { tenant: owner.tenant, kind: "metadata", id: serverId }, signature);
  if (signature.gen !== owner.gen) {
    throw new Refusal("revoked", gone("This URL has been revoked."));
  }
  return owner;
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

interface OfTenant {
  readonly tenant: string;
}

const ownOf = <One extends OfTenant>({ tenant }: OfTenant, all: readonly One[]): readonly One[] =>
  all.filter((one) => one.tenant === tenant);

const documentOf = (
  { ids }: Ports,
  server: ServerRecord,
  listed: ServerDocument["deployments"],
): ReadDocument => {
  const records = ownOf(server, listed);
  return { server, records, version: documentVersion(ids, server, records) };
};

const appliedVersion = (serverId: string, { query }: AgentRequest): string | null => {
  const { applied } = query;
  return applied !== undefined && isDocumentVersion(applied) && isId(serverId) ? applied : null;
};

const isCurrent = async (
  ports: Ports,
  { server: { id: serverId, gen }, version }: ReadDocument,
  request: AgentRequest,
): Promise<boolean> => {
  const { server, deployments } = await ports.softwareConfigs.getDocumentOutline(serverId);
  if (server === null || !isAccepted(ports, serverId, server, request)) return false;
  // The document contains its server's URL, which a new `gen` changes.
  if (server.gen !== gen) return false;
  return documentVersion(ports.ids, server, ownOf(server, deployments)) === version;
};

/**
 * @returns null if the agent has not applied this version, or the request may have to be refused
 */
const readEventually = async (
  ports: Ports,
  serverId: string,
  request: AgentRequest,
  memory: DocumentMemory | null,
): Promise<ReadDocument | null> => {
  const applied = appliedVersion(serverId, request);
  if (applied === null) return null;
  const known = memory?.get(serverId, ports.clock.now()) ?? null;
  if (known?.version === applied) return (await isCurrent(ports, known, request)) ? known : null;
  const { server, deployments } = await ports.softwareConfigs.getServerDocument(
    serverId,
    "eventual",
  );
  if (server === null || !isAccepted(ports, serverId, server, request)) return null;
  const document = documentOf(ports, server, deployments);
  if (document.version !== applied) return null;
  memory?.keep(document, ports.clock.now());
  return document;
};

/**
 * Tells the agent of a deleted server that it may stop. The server's sighting outlives it and has
 * the tenant of the signature.
 */
const refuseIfDeleted = async (
  ports: Ports,
  serverId: string,
  { method, query }: AgentRequest,
): Promise<void> => {
  const sighting = isId(serverId) ? await ports.softwareConfigs.getServerSighting(serverId) : null;
  if (sighting === null) return;
  checkMethod(METADATA_METHODS, method);
  const grant = { tenant: sighting.tenant, kind: "metadata" as const, id: serverId };
  checkSignature(ports, grant, parseSignatureQuery(query));
  throw new Refusal("deleted", gone("The server of this URL has been deleted."));
};

export const readStrongly = async (
  ports: Ports,
  serverId: string,
  request: AgentRequest,
  memory: DocumentMemory | null,
): Promise<ReadDocument> => {
  const { subject, target } = await findServer(ports, serverId);
  const server = await recordingRefusals(ports, target, async () => {
    if (subject === null && target === null) await refuseIfDeleted(ports, serverId, request);
    return verifyRequest(ports, serverId, subject, request);
  });
  const listed = await ports.softwareConfigs.listDeployments(serverId);
  const document = documentOf(ports, server, listed);
  memory?.keep(document, ports.clock.now());
  return document;
};

/**
 * Throws 405 for another method, 403 for a bad signature, 404 for an unknown server, and 410 for a
 * revoked URL or a deleted server. All but the last leave evidence.
 */
export const readDocument = async (
  ports: Ports,
  serverId: string,
  request: AgentRequest,
  memory: DocumentMemory | null,
): Promise<ReadDocument> =>
  (await readEventually(ports, serverId, request, memory)) ??
  (await readStrongly(ports, serverId, request, memory));
