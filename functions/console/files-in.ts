import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ENDING = ".br";

export type ConsoleFiles = Readonly<Record<string, string>>;

export const filesIn = (folder: string): ConsoleFiles | null => {
  if (!existsSync(join(folder, `index.html${ENDING}`))) return null;
  return Object.fromEntries(
    globSync(`**/*${ENDING}`, { cwd: folder }).map((path) => [
      path.slice(0, -ENDING.length),
      readFileSync(join(folder, path), "base64"),
    ]),
  );
};
