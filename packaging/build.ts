/** `npm run build` makes the folder `dist`. */
import { buildDist } from "./dist.ts";

const { scriptBytes, packages } = await buildDist();
// Standard output is npm's: `npm pack --silent` prints the name of the file there, and only that.
console.error(`dist: ${scriptBytes} bytes of JavaScript, with code of ${packages.length} packages`);
