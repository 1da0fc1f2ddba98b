/** `npm run build -- playground` builds the playground for the documentation site. */
import { buildPlayground } from "./playground.ts";

const { bytes } = await buildPlayground();
console.error(`playground.js: ${bytes} bytes`);
