/**
 * The version of a server's document: a short text that changes exactly when the document does. It
 * hashes the records that the document is rendered from. Content never changes under one derived
 * id, so nothing needs to be decrypted.
 */
import type { ServerRecord } from "#lib/model/software-config.ts";
import type { Ids } from "#lib/ports/ports.ts";
import type { OutlinedDeployment } from "#lib/ports/software-config-store.ts";

/** Raise it when the same records render differently, so that agents see a change. */
const RENDERING = "2";
const VERSION = /^[0-9a-f]{12}$/;
const VERSION_CHARS = 12;

export const isDocumentVersion = (text: string): boolean => VERSION.test(text);

/** The last digits of a UUID come from the hash alone. */
const short = (uuid: string): string => uuid.slice(-VERSION_CHARS);

const partOf = (record: OutlinedDeployment): string => {
  const { id, derivedConfigId, name, resourceName, action, createdAt } = record;
  return JSON.stringify([id, derivedConfigId, name, resourceName, action, createdAt]);
};

export const documentVersion = (
  ids: Ids,
  server: Pick<ServerRecord, "id" | "metadata">,
  records: readonly OutlinedDeployment[],
): string => {
  const parts = records.map(partOf).toSorted();
  return short(ids.derive("document", RENDERING, server.id, server.metadata, ...parts));
};

/**
 * Quoted, as HTTP requires. The tag also covers the URLs in the document, which change with a new
 * signing key or host address. `signals` is the base URL of signals.
 */
export const documentEtag = (ids: Ids, version: string, url: string, signals: string): string =>
  `"${version}-${short(ids.derive("document-url", url, signals))}"`;

/** Whether If-None-Match names the tag. A compressing proxy turns it into a weak tag, W/"…". */
export const namesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
