/**
 * The command that tests start. A run of the tests builds it once, because each of hundreds of
 * starts from the sources takes three times as much of the processor.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const BUILT = "HEARTH_TEST_PROGRAM";

const built = process.env[BUILT];

export const HEARTH = built ?? fileURLToPath(new URL("../apps/cli/hearth.ts", import.meta.url));

/** What Node has compiled of the build is kept beside it, and goes with it. */
const compiled =
  built === undefined ? process.env["NODE_COMPILE_CACHE"] : join(dirname(built), "compiled");

/** For programs that get few variables of this process. */
export const COMPILED: Readonly<Record<string, string>> =
  compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled };
