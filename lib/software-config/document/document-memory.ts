/**
 * Documents that a worker has read, still sealed. While the outline in the store shows the version
 * of one, the worker serves it again without reading it.
 */
import type { DeploymentRecord } from "#lib/model/deployment.ts";
import type { ServerRecord } from "#lib/model/server.ts";

export interface ReadDocument {
  readonly server: ServerRecord;
  readonly records: readonly DeploymentRecord[];
  readonly version: string;
}

export interface DocumentMemory {
  /** Null: it was not kept, or was read DOCUMENT_MS_MAX ago. */
  get(serverId: string, now: number): ReadDocument | null;
  /** Keeps what was read just now, if there is room. */
  keep(document: ReadDocument, now: number): void;
}

/** An index that lags for long cannot hide a new document for longer than this. */
export const DOCUMENT_MS_MAX = 3_600_000;
/** Of 256 MB. It holds the documents of some thousand servers with ten deployments. */
export const DOCUMENTS_BYTES_MAX = 32 * 1_024 * 1_024;
/** A document that was not asked for in this time makes room for others. */
export const DOCUMENT_UNUSED_MS_MAX = 300_000;
/** What a record takes besides its sealed texts. */
const RECORD_BYTES = 1_024;

const bytesOf = ({ server, records }: ReadDocument): number =>
  records.reduce(
    (sum, { derivedConfig, outputValues, inputValues }) =>
      sum + RECORD_BYTES + derivedConfig.length + outputValues.length + (inputValues?.length ?? 0),
    RECORD_BYTES + server.metadata.length,
  );

interface Kept {
  readonly document: ReadDocument;
  readonly bytes: number;
  readonly readAt: number;
  usedAt: number;
}

/**
 * The servers of a fleet come in turn. If the longest unused document went first, a fleet that is
 * a little too large would find none of its documents. So those that are in use stay.
 */
export const documentMemory = (): DocumentMemory => {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  let cleanedAt = 0;
  const drop = (serverId: string): void => {
    bytes -= kept.get(serverId)?.bytes ?? 0;
    kept.delete(serverId);
  };
  const clean = (now: number): void => {
    if (now - cleanedAt < DOCUMENT_UNUSED_MS_MAX) return;
    cleanedAt = now;
    for (const [id, { usedAt }] of kept) if (now - usedAt >= DOCUMENT_UNUSED_MS_MAX) drop(id);
  };
  return {
    get: (serverId, now) => {
      const found = kept.get(serverId);
      if (found === undefined || now - found.readAt >= DOCUMENT_MS_MAX) return null;
      found.usedAt = now;
      return found.document;
    },
    keep: (document, now) => {
      const { id } = document.server;
      drop(id);
      const size = bytesOf(document);
      if (bytes + size > DOCUMENTS_BYTES_MAX) clean(now);
      if (bytes + size > DOCUMENTS_BYTES_MAX) return;
      bytes += size;
      kept.set(id, { document, bytes: size, readAt: now, usedAt: now });
    },
  };
};
