/**
 * `npm run build -- web` builds the console that the host serves at `/`. A folder can be given
 * after a further `--`.
 */
import { buildWeb } from "./web.ts";

for (const { path, bytes, compressed } of (await buildWeb(process.argv[2])).files)
  console.error(`${path}: ${bytes} bytes, ${compressed} compressed`);
