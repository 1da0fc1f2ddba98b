import { brotliDecompressSync } from "node:zlib";
import { type TypeTable, typeTable } from "./type-table.ts";

export interface TypeTables {
  readonly names: readonly string[];
  table(type: string): TypeTable | null;
}

/** `packed` was written by tools/packaging/aws-types.ts. */
export const readTables = (packed: Uint8Array): TypeTables => {
  const lines = brotliDecompressSync(packed).toString("utf8").trimEnd().split("\n");
  const texts = new Map(
    lines.map((line) => {
      const tab = line.indexOf("\t");
      return [line.slice(0, tab), line.slice(tab + 1)] as const;
    }),
  );
  return {
    names: [...texts.keys()],
    table: (type) => {
      const text = texts.get(type);
      return text === undefined ? null : typeTable.parse(JSON.parse(text));
    },
  };
};
