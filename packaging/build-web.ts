/**
 * `npm run build -- web` makes the console, which the host then serves at `/`. `-- FOLDER` makes it
 * there instead.
 */
import { buildWeb } from "./web.ts";

for (const { path, bytes, compressed } of (await buildWeb(process.argv[2])).files)
  console.error(`${path}: ${bytes} bytes, ${compressed} compressed`);
