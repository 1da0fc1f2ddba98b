/**
 * The version of a server's document: a short text that changes with the document and with nothing else. It is made of
 * the records that the document is rendered from, which never change under one derived id, so nothing is decrypted for it.
 */
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { ServerRecord } from "#lib/model/server.ts";
import type { Ids } from "#lib/ports/ids.ts";

/** To be raised when the same records are rendered otherwise than before: agents are then told of a change. */
const RENDERING = "2";
const VERSION = /^[0-9a-f]{12}$/;
const VERSION_CHARS = 12;

export const isDocumentVersion = (text: string): boolean => VERSION.test(text);

/** The last digits of a UUID are all of the hash. */
const short = (uuid: string): string => uuid.slice(-VERSION_CHARS);

const partOf = (record: DeploymentRecord): string => {
  const { id, derivedConfigId, name, resourceName, action, createdAt } = record;
  return JSON.stringify([id, derivedConfigId, name, resourceName, action, createdAt]);
};

/** The order in which the store lists the records does not matter. */
export const documentVersion = (
  ids: Ids,
  server: Pick<ServerRecord, "id" | "metadata">,
  records: readonly DeploymentRecord[],
): string => {
  const parts = records.map(partOf).toSorted();
  return short(ids.derive("document", RENDERING, server.id, server.metadata, ...parts));
};

/** Quoted, as HTTP wants it. Besides the version it knows the URL, which a new signing key changes. */
export const documentEtag = (ids: Ids, version: string, url: string): string =>
  `"${version}-${short(ids.derive("document-url", url))}"`;

/** Whether an If-None-Match names the tag. A proxy that compresses makes it a weak one, W/"…", and that is what comes back. */
export const namesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
