/** `npm run docs -- rules` writes the index of the rules, docs/rules/README.md. */
import { writeFileSync } from "node:fs";
import { ownRulesIndex } from "../../test/architecture/rules-index.ts";

writeFileSync(new URL("../../docs/rules/README.md", import.meta.url), await ownRulesIndex());
