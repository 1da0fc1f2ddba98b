/** The record of a server that polls for its metadata document. */

export interface ServerRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceName: string;
  /** The generation of the metadata URL. Raising it, or removing the record, revokes older URLs. */
  readonly gen: number;
  /** Sealed JSON: the template's own `metadata` for this server. */
  readonly metadata: string;
}
