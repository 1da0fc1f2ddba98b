/** The build replaces this module by one with the bytes (tools/packaging/embed-files.ts). */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const TABLES_FILE = fileURLToPath(new URL("./types.br", import.meta.url));

export const packedTables = (): Buffer => readFileSync(TABLES_FILE);
