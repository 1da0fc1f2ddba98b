import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PACKAGED_FILES, packagedFile } from "../packaged-files.ts";

export const EXAMPLE = "examples/own-server";

export const writeExample = (folder: string): string => {
  for (const path of PACKAGED_FILES.filter((file) => file.startsWith(EXAMPLE))) {
    const copy = join(folder, path);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, packagedFile(path));
  }
  return join(folder, EXAMPLE, "server.yaml");
};
