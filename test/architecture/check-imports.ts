/** `npm run check` calls this: exits 1 when an import breaks a rule, or when too little was seen for that to mean anything. */
import { cruise, ROOT } from "./import-rules.ts";

/** About 90 % of what there is: a cruiser that sees nothing also finds nothing wrong, and exits 0. */
const MODULES_MIN = 310;

const { modules, violations } = cruise(ROOT);

for (const { rule, from, to } of violations) console.error(`${rule}: ${from} -> ${to}`);
console.log(`${modules.length} modules, ${violations.length} forbidden imports`);
if (modules.length < MODULES_MIN) {
  console.error(`At least ${MODULES_MIN} modules must be seen.`);
  process.exitCode = 1;
}
if (violations.length > 0) process.exitCode = 1;
