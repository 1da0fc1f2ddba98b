/** A table of records, as memory and SQLite keep them. Every method is synchronous and atomic. */

export type KeyPart = string | number;

export interface Documents<Document, Written = Document> {
  get(...key: readonly KeyPart[]): Document | null;
  /** The records with this first part of the key, in the order of insertion. */
  list(first: KeyPart): readonly Document[];
  /** Put if absent. Returns whether it was. */
  insert(document: Written): boolean;
  /** Replaces a stored record, or merges with it if the table says how. */
  put(document: Written): void;
  delete(...key: readonly KeyPart[]): void;
}

/** Runs `work`, which reads and writes records, as one atomic step. */
export type Atomically = <T>(work: () => T) => Promise<T>;
