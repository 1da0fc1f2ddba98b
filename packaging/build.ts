/** `npm run build` makes the folder `dist`. */
import { buildDist } from "./dist.ts";

const { scriptBytes, packages } = await buildDist();
console.log(`dist: ${scriptBytes} bytes of JavaScript, with code of ${packages.length} packages`);
