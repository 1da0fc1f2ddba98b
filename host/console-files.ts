/**
 * The files of the console as `npm run build:web` made them, compressed. The build puts a module
 * with their contents in the place of this one (packaging/embed-files.ts).
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../web/dist", import.meta.url));
const ENDING = ".br";

/** Base64 of the Brotli of each file, by its path. Null: nobody has built them. */
export const consoleFiles = (): Readonly<Record<string, string>> | null => {
  if (!existsSync(join(FOLDER, `index.html${ENDING}`))) return null;
  return Object.fromEntries(
    globSync(`**/*${ENDING}`, { cwd: FOLDER }).map((path) => [
      path.slice(0, -ENDING.length),
      readFileSync(join(FOLDER, path), "base64"),
    ]),
  );
};
