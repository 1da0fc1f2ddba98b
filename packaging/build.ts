/** `npm run build` makes the folder `dist`, or the one that it is given. */
import { buildDist } from "./dist.ts";

const [, , folder] = process.argv;
const { scriptBytes, packages } = await buildDist(folder);
// Standard output is npm's: `npm pack --silent` prints the name of the file there, and only that.
console.error(`dist: ${scriptBytes} bytes of JavaScript, with code of ${packages.length} packages`);
