/** `npm run build` writes the folder `dist`, or another folder that is given. */
import { buildDist } from "./dist.ts";

const [, , folder] = process.argv;
const { scriptBytes, packages } = await buildDist(folder);
// Standard output belongs to npm: `npm pack --silent` prints only the name of the file there.
console.error(`dist: ${scriptBytes} bytes of JavaScript, with code of ${packages.length} packages`);
