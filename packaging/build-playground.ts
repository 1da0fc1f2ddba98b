/** `npm run build -- playground` makes the playground, for the site of the documents. */
import { buildPlayground } from "./playground.ts";

const { bytes } = await buildPlayground();
console.error(`playground.js: ${bytes} bytes`);
