/** `npm run docs -- reference` writes the pages of docs/reference. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allReferencePages } from "./all-reference-pages.ts";
import { ROOT } from "./bundle.ts";

const folder = join(ROOT, "docs/reference");

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const pages = await allReferencePages();
for (const { name, text } of pages) writeFileSync(join(folder, name), text);
console.log(`${pages.length} pages in docs/reference`);
