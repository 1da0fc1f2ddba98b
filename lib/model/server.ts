/** The record of a server that polls for its metadata document. */

/** A server that polls for its metadata document. The metadata URL is revoked by raising or removing `gen`. */
export interface ServerRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceName: string;
  readonly gen: number;
  /** Sealed JSON: the template's own `metadata` for this server. */
  readonly metadata: string;
}
