/** A table of records, as memory and SQLite keep them. Every method is synchronous and atomic. */

export type KeyPart = string | number;

export interface Documents<Document, Written = Document> {
  get(...key: readonly KeyPart[]): Document | null;
  list(first: KeyPart): readonly Document[];
  insert(document: Written): boolean;
  /** Replaces a stored record, or merges with it if the table defines how. */
  put(document: Written): void;
  delete(...key: readonly KeyPart[]): void;
}

export type Atomically = <T>(work: () => T) => Promise<T>;
