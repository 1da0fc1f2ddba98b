/**
 * The command that tests start. It is built once for a run, because each of hundreds of starts from
 * the sources takes three times the processor's time.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const BUILT = "HEARTH_TEST_PROGRAM";

const built = process.env[BUILT];

export const HEARTH = built ?? fileURLToPath(new URL("../apps/cli/hearth.ts", import.meta.url));

/** Node's compile cache is kept beside the build and removed with it. */
const compiled =
  built === undefined ? process.env["NODE_COMPILE_CACHE"] : join(dirname(built), "compiled");

/** For programs that do not inherit this process's variables. */
export const COMPILED: Readonly<Record<string, string>> =
  compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled };
