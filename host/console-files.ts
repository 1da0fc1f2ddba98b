/**
 * The files of the console in a clone. The build puts a module with their contents in the place of
 * this one (packaging/embed-files.ts).
 */
import { fileURLToPath } from "node:url";
import { type ConsoleFiles, filesIn } from "#functions/console/files-in.ts";

/** Null: nobody has built them. */
export const consoleFiles = (): ConsoleFiles | null =>
  filesIn(fileURLToPath(new URL("../web/dist", import.meta.url)));
