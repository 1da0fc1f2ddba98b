/**
 * Loaded into a host before its own code (`node --import`): its clock is ahead of the machine's by the milliseconds that a
 * file says, so that no story waits for what takes minutes. The file is read whenever somebody asks for the time: after
 * it has been changed nothing happens at the former time any more.
 */
import { readFileSync } from "node:fs";

const file = process.env["HEARTH_TEST_CLOCK"];
if (file === undefined)
  throw new Error("HEARTH_TEST_CLOCK names the file that says how far to be ahead");

const machineNow = Date.now;

Date.now = () => machineNow() + Number(readFileSync(file, "utf8"));
