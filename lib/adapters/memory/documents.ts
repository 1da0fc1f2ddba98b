/**
 * Records of one kind in memory, by key. Records are shared and never copied: they are readonly,
 * and a write puts a new record in place of the old one. Lists are copies, in the order of
 * insertion.
 */

/** The first part names a partition, whose records are listed together. */
export type DocumentKey = readonly [partition: string, ...rest: readonly (string | number)[]];

export interface Documents<Document> {
  get(...key: DocumentKey): Document | null;
  /** Put if absent. Returns the record that is stored after the call. */
  insert(document: Document): Document;
  put(document: Document): void;
  delete(...key: DocumentKey): boolean;
  list(partition: string): readonly Document[];
  all(): readonly Document[];
  /** Deletes every record that `isOver` accepts. */
  purge(isOver: (document: Document) => boolean): void;
}

/** For `purge`: the record's time has come. Null never expires. */
export const expiredBy =
  (now: number) =>
  ({ expiresAt }: { readonly expiresAt: number | null }): boolean =>
    expiresAt !== null && expiresAt <= now;

export const memoryDocuments = <Document>(
  keyOf: (document: Document) => DocumentKey,
): Documents<Document> => {
  const partitions = new Map<string, Map<string, Document>>();
  const nameOf = ([, ...rest]: DocumentKey): string => rest.join("/");
  const get = (...key: DocumentKey): Document | null =>
    partitions.get(key[0])?.get(nameOf(key)) ?? null;
  const put = (document: Document): void => {
    const key = keyOf(document);
    const partition = partitions.get(key[0]);
    if (partition) partition.set(nameOf(key), document);
    else partitions.set(key[0], new Map([[nameOf(key), document]]));
  };
  const remove = (partitionName: string, name: string): boolean => {
    const partition = partitions.get(partitionName);
    const isRemoved = partition?.delete(name) ?? false;
    if (partition?.size === 0) partitions.delete(partitionName);
    return isRemoved;
  };
  return {
    get,
    put,
    insert: (document) => {
      const stored = get(...keyOf(document));
      if (stored === null) put(document);
      return stored ?? document;
    },
    delete: (...key) => remove(key[0], nameOf(key)),
    list: (partition) => [...(partitions.get(partition)?.values() ?? [])],
    all: () => [...partitions.values()].flatMap((partition) => [...partition.values()]),
    purge: (isOver) => {
      for (const [partitionName, partition] of partitions)
        for (const [name, document] of partition) if (isOver(document)) remove(partitionName, name);
    },
  };
};
