import { describe, expect, it } from "vitest";
import {
  DOCUMENT_MS_MAX,
  DOCUMENT_UNUSED_MS_MAX,
  DOCUMENTS_BYTES_MAX,
  type DocumentMemory,
  documentMemory,
  type ReadDocument,
} from "#lib/software-config/document/document-memory.ts";
import { aDeployment } from "#test/contract/records.ts";

const ROOM = 8;
/** ROOM documents of this size fit into the memory, and ROOM + 1 do not. */
const derivedConfig = "x".repeat(DOCUMENTS_BYTES_MAX / (ROOM + 0.5));
const START = 1_750_000_000_000;

const aDocument = (id: string): ReadDocument => ({
  server: {
    tenant: "tenant",
    id,
    stackId: "stack",
    resourceName: "server",
    gen: 1,
    metadata: "sealed",
  },
  records: [aDeployment({ serverId: id, derivedConfig })],
  version: "0123456789ab",
});

/** The tests compare ids, because a failed comparison of documents would print megabytes. */
const idOf = (memory: DocumentMemory, id: string, now: number): string | null =>
  memory.get(id, now)?.server.id ?? null;

const full = () => {
  const memory = documentMemory();
  for (let at = 0; at < ROOM; at++) memory.keep(aDocument(`server-${at}`), START);
  return memory;
};

describe("the memory of documents", () => {
  it("keeps those that are in use, and takes no others when it is full", () => {
    const memory = full();
    memory.keep(aDocument("late"), START);
    expect(idOf(memory, "late", START)).toBeNull();
    for (let at = 0; at < ROOM; at++)
      expect(idOf(memory, `server-${at}`, START)).toBe(`server-${at}`);
  });

  it("makes room by dropping those that nobody asked for in the last minutes", () => {
    const memory = full();
    expect(idOf(memory, "server-0", START + 1)).toBe("server-0");
    memory.keep(aDocument("late"), START + DOCUMENT_UNUSED_MS_MAX);
    const left = ["server-0", "server-1", "late"].map((id) =>
      idOf(memory, id, START + DOCUMENT_UNUSED_MS_MAX),
    );
    expect(left).toEqual(["server-0", null, "late"]);
  });

  it("counts a document that is read again once", () => {
    const memory = documentMemory();
    for (let read = 0; read < 2 * ROOM; read++) memory.keep(aDocument("server-0"), START);
    memory.keep(aDocument("server-1"), START);
    expect(idOf(memory, "server-1", START)).toBe("server-1");
  });

  it("gives a document for an hour after its reading at most", () => {
    const memory = full();
    expect(idOf(memory, "server-0", START + DOCUMENT_MS_MAX - 1)).toBe("server-0");
    expect(idOf(memory, "server-0", START + DOCUMENT_MS_MAX)).toBeNull();
  });
});
