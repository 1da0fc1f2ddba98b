/**
 * `npm run build -- aws-types FOLDER` writes the tables of AWS types that the repository keeps.
 * FOLDER is `cfnlint/data/schemas` of an unpacked cfn-lint.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { TABLES_FILE } from "#providers/cloud-control/tables/packed-tables.ts";
import { packed, tableLines } from "./aws-types.ts";

const REGION = "us-east-1";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: compile-aws-types.ts FOLDER");
const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), "utf8"));
const files = z.record(z.string(), z.string()).parse(read(`providers/${REGION}.json`));
const lines = tableLines(Object.values(files).map((name) => read(`resources/${name}.json`)));
const bytes = packed(lines);
writeFileSync(TABLES_FILE, bytes);
console.log(
  `${lines.split("\n").length - 1} types, ${lines.length} characters, ${bytes.length} bytes`,
);
