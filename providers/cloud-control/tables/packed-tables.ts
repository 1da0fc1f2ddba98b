/**
 * The tables as they are kept: one text, packed by Brotli. The build puts a module with the bytes
 * in the place of this one (packaging/embed-files.ts).
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const TABLES_FILE = fileURLToPath(new URL("./types.br", import.meta.url));

export const packedTables = (): Buffer => readFileSync(TABLES_FILE);
