/**
 * The command that tests start. A run of the tests builds it once, because each of hundreds of
 * starts from the sources takes three times as much of the processor.
 */
import { fileURLToPath } from "node:url";

export const BUILT = "HEARTH_TEST_PROGRAM";

export const HEARTH =
  process.env[BUILT] ?? fileURLToPath(new URL("../cli/hearth.ts", import.meta.url));
