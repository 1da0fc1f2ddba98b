/** `npm run build:web` makes the console, which the host then serves at `/`. */
import { buildWeb } from "./web.ts";

for (const { path, bytes, compressed } of (await buildWeb()).files)
  console.error(`${path}: ${bytes} bytes, ${compressed} compressed`);
