/**
 * The console's files in a clone. The build replaces this module by one with their contents
 * (tools/packaging/embed-files.ts).
 */
import { fileURLToPath } from "node:url";
import { type ConsoleFiles, filesIn } from "#functions/console/answer-console.ts";

export const consoleFiles = (): ConsoleFiles | null =>
  filesIn(fileURLToPath(new URL("../console/dist", import.meta.url)));
