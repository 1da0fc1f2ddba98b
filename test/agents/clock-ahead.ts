/**
 * Loaded into a host before its own code (`node --import`). A file says by how many milliseconds
 * the host's clock is ahead of the machine's, so no story waits for minutes. Each call of
 * `Date.now` reads the file, so a change takes effect at once.
 */
import { readFileSync } from "node:fs";

const file = process.env["HEARTH_TEST_CLOCK"];
if (file === undefined)
  throw new Error("HEARTH_TEST_CLOCK names the file that says how far to be ahead");

const machineNow = Date.now;

Date.now = () => machineNow() + Number(readFileSync(file, "utf8"));
