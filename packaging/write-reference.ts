/** `npm run docs:reference` writes the pages of docs/reference anew. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { referencePages } from "#lib/authoring/reference/reference-pages.ts";
import { wholeProgram } from "../cli/program.ts";
import { ROOT } from "./bundle.ts";
import { commandPage } from "./command-page.ts";

const folder = join(ROOT, "docs/reference");

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const commands = { name: "commands.md", text: commandPage(await wholeProgram()) };
const pages = [...referencePages(), commands];
for (const { name, text } of pages) writeFileSync(join(folder, name), text);
console.log(`${pages.length} pages in docs/reference`);
