/** The files of the console as `npm run build -- web` made them, compressed. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ENDING = ".br";

/** Base64 of the Brotli of each file, by its path. */
export type ConsoleFiles = Readonly<Record<string, string>>;

/** Null: nobody has built them there. */
export const filesIn = (folder: string): ConsoleFiles | null => {
  if (!existsSync(join(folder, `index.html${ENDING}`))) return null;
  return Object.fromEntries(
    globSync(`**/*${ENDING}`, { cwd: folder }).map((path) => [
      path.slice(0, -ENDING.length),
      readFileSync(join(folder, path), "base64"),
    ]),
  );
};
