/**
 * Documents that a worker has read, still sealed. While the outline in the store shows the same
 * version, the worker serves the document again without reading it.
 */
import type { DeploymentRecord, ServerRecord } from "#lib/model/software-config.ts";

export interface ReadDocument {
  readonly server: ServerRecord;
  readonly records: readonly DeploymentRecord[];
  readonly version: string;
}

export interface DocumentMemory {
  get(serverId: string, now: number): ReadDocument | null;
  keep(document: ReadDocument, now: number): void;
}

/** An index that lags for long cannot hide a new document for longer than this. */
export const DOCUMENT_MS_MAX = 3_600_000;
/** A worker has 256 MB. This is room for some thousand servers with ten deployments each. */
export const DOCUMENTS_BYTES_MAX = 32 * 1_024 * 1_024;
export const DOCUMENT_UNUSED_MS_MAX = 300_000;
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
 * A fleet's servers poll in turn. If the least recently used document were dropped, a fleet that is
 * a little too large would never find its documents. So documents that are in use stay.
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
