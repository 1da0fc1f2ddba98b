/** `npm run docs -- api` writes the OpenAPI document of the REST API. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./bundle.ts";
import { restApi } from "./rest-api.ts";

writeFileSync(join(ROOT, "docs/api.yaml"), restApi());
console.log("docs/api.yaml");
