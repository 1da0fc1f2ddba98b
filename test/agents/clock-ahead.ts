/**
 * Loaded into a host before its own code (`node --import`). A file contains the milliseconds by
 * which the host's clock is ahead of the machine's, so that no story waits for minutes. `Date.now`
 * reads the file in each call, so a change takes effect at once. The time since the machine's start
 * goes ahead too, as after a sleep, because a host does not believe a change of the clock alone.
 */
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

const file = process.env["HEARTH_TEST_CLOCK"];
if (file === undefined)
  throw new Error("HEARTH_TEST_CLOCK names the file that says how far to be ahead");

const machineNow = Date.now;

const machineUptime = os.uptime;
const aheadMs = (): number => Number(readFileSync(file, "utf8"));

Date.now = () => machineNow() + aheadMs();
os.uptime = () => machineUptime() + aheadMs() / 1_000;
syncBuiltinESMExports();
