/** `npm run docs -- rooms` writes the table of rooms into docs/architecture.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { roomTable } from "../../test/architecture/rooms.ts";

const FILE = new URL("../../docs/architecture.md", import.meta.url);
const MARKED = /(<!-- rooms -->\n)[\s\S]*?(\n<!-- rooms end -->)/;

writeFileSync(FILE, readFileSync(FILE, "utf8").replace(MARKED, `$1${roomTable()}$2`));
