export interface ServerRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  readonly resourceName: string;
  /** The generation of the metadata URL. Raising it, or removing the record, revokes older URLs. */
  readonly gen: number;
  readonly metadata: string;
}
