/**
 * Records in memory are shared and never copied: they are readonly, and a write replaces the old
 * record with a new one. Lists are copies.
 */
import type { Documents, KeyPart } from "../local/store.ts";

export interface MemoryDocuments<Document, Written = Document>
  extends Documents<Document, Written> {
  all(): readonly Document[];
  purgeExpired(now: number): void;
  backUp(): () => void;
}

export const backUpAll = (tables: readonly { backUp(): () => void }[]) => (): (() => void) => {
  const restores = tables.map((table) => table.backUp());
  return () => {
    for (const restore of restores) restore();
  };
};

type Key = readonly [partition: KeyPart, ...rest: readonly KeyPart[]];

const nameOf = ([, ...rest]: readonly KeyPart[]): string => rest.join("/");

const isExpired = (document: object, now: number): boolean =>
  "expiresAt" in document && typeof document.expiresAt === "number" && document.expiresAt <= now;

export const mergingDocuments = <Document extends object, Written>(
  keyOf: (document: Written) => Key,
  merge: (stored: Document | null, document: Written) => Document,
): MemoryDocuments<Document, Written> => {
  const partitions = new Map<KeyPart, Map<string, Document>>();
  const get = (...key: readonly KeyPart[]): Document | null =>
    partitions.get(key[0] ?? "")?.get(nameOf(key)) ?? null;
  const put = (document: Written): void => {
    const key = keyOf(document);
    const partition = partitions.get(key[0]) ?? new Map<string, Document>();
    partition.set(nameOf(key), merge(get(...key), document));
    partitions.set(key[0], partition);
  };
  const remove = (partitionName: KeyPart, name: string): void => {
    const partition = partitions.get(partitionName);
    partition?.delete(name);
    if (partition?.size === 0) partitions.delete(partitionName);
  };
  return {
    get,
    put,
    insert: (document) => {
      const isAbsent = get(...keyOf(document)) === null;
      if (isAbsent) put(document);
      return isAbsent;
    },
    delete: (...key) => remove(key[0] ?? "", nameOf(key)),
    list: (first) => [...(partitions.get(first)?.values() ?? [])],
    all: () => [...partitions.values()].flatMap((partition) => [...partition.values()]),
    purgeExpired: (now) => {
      for (const [partitionName, partition] of partitions)
        for (const [name, document] of partition)
          if (isExpired(document, now)) remove(partitionName, name);
    },
    backUp: () => {
      const kept = [...partitions].map(([name, partition]) => [name, new Map(partition)] as const);
      return () => {
        partitions.clear();
        for (const [name, partition] of kept) partitions.set(name, new Map(partition));
      };
    },
  };
};

export const memoryDocuments = <Document extends object>(
  keyOf: (document: Document) => Key,
): MemoryDocuments<Document> => mergingDocuments(keyOf, (_, document) => document);
