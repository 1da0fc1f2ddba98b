/** `npm run build -- single` writes the one file for this platform into `dist-release/`. */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "./bundle.ts";
import { buildSingle, singleFileName } from "./single.ts";

const folder = join(ROOT, "dist-release");
mkdirSync(folder, { recursive: true });
const file = join(folder, singleFileName(manifest.version));
await buildSingle(file);
console.log(`${file}: ${statSync(file).size} bytes, with Node ${process.version}`);
