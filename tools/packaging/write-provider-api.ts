/** `npm run docs -- provider` writes the OpenAPI document of the provider protocol. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./bundle.ts";
import { providerApi } from "./provider-api.ts";

writeFileSync(join(ROOT, "docs/provider-protocol.yaml"), providerApi());
console.log("docs/provider-protocol.yaml");
