/** A poll of a server's agent: GET /v1/agent/metadata/{server_id}. */
import { entityNotFound, gone } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openContent, openObject } from "./config-content.ts";
import { type PublishedDeployment, renderMetadataDocument } from "./metadata-document.ts";
import type { DeploymentRecord } from "./model.ts";
import { checkSignature, metadataUrl, parseSignatureQuery, type UrlQuery } from "./urls.ts";

const openDeployment = async (
  ports: Ports,
  record: DeploymentRecord,
): Promise<PublishedDeployment> => ({
  record,
  content: await openContent(ports.cipher, record, record.derivedConfig),
});

/** Throws 403 for a bad signature, 404 for an unknown server and 410 where the URL was revoked; agents survive all of them and poll on. */
export const serveMetadata = async (
  ports: Ports,
  serverId: string,
  query: UrlQuery,
): Promise<JsonObject> => {
  const signature = parseSignatureQuery(query);
  const server = await ports.softwareConfigs.getServer(serverId);
  if (server === null) throw entityNotFound("Server", serverId);
  checkSignature(ports, { tenant: server.tenant, kind: "metadata", id: serverId }, signature);
  if (signature.gen !== server.gen) throw gone("This URL has been revoked.");
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
