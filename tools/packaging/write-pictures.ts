/**
 * `npm run docs -- pictures` copies the screenshots that the pages show from the output of `npm run
 * lane -- web`.
 */
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./bundle.ts";

const MADE = join(ROOT, ".data/web-screenshots");
const SHOWN = join(ROOT, "docs/pictures");

const pages = globSync("docs/*.md", { cwd: ROOT }).map((path) =>
  readFileSync(join(ROOT, path), "utf8"),
);
const names = new Set(
  pages.flatMap((text) =>
    [...text.matchAll(/\]\(pictures\/([^)]+\.png)\)/g)].map(([, name = ""]) => name),
  ),
);

for (const old of globSync("*.png", { cwd: SHOWN })) rmSync(join(SHOWN, old));
mkdirSync(SHOWN, { recursive: true });
for (const name of names) copyFileSync(join(MADE, name), join(SHOWN, name));
console.log(`${names.size} pictures in docs/pictures`);
