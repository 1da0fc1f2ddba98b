/**
 * `npm run check` calls this. It exits 1 if an import breaks a rule, or if a module was not seen.
 */
import { cruise, ROOT, SOURCE_FOLDERS } from "./import-rules.ts";
import { repositoryFiles } from "./repository.ts";

const { modules, violations } = cruise(ROOT);
const seen = new Set(modules);
/** A cruiser that sees no module also finds nothing wrong, and exits 0. */
const unseen = repositoryFiles().filter(
  ({ path }) =>
    /\.tsx?$/.test(path) &&
    SOURCE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
    !seen.has(path),
);

for (const { rule, from, to } of violations) console.error(`${rule}: ${from} -> ${to}`);
for (const { path } of unseen) console.error(`not seen: ${path}`);
console.log(`${modules.length} modules, ${violations.length} forbidden imports`);
if (violations.length > 0 || unseen.length > 0) process.exitCode = 1;
