import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Story } from "../lane.ts";
import { pace, pacedSeconds } from "../pace.ts";
import { runProgram } from "../run-program.ts";

const CLIENTS = fileURLToPath(new URL("../../clients/clients.ts", import.meta.url));
/** The first run installs the clients. */
const CLIENTS_SECONDS_MAX = 400;

/**
 * `certificate` is the emulator's own. One way to log in is enough here: another one changes only a
 * header, and the lane of the embedded host plays them all.
 */
export const clients = (certificate?: string): Story => ({
  name: "the real clients of OpenStack notice nothing",
  needs: ["Go"],
  isLong: true,
  play: async ({ url, token }) => {
    const authority = certificate === undefined ? [] : ["--authority", certificate];
    const { exitCode, printed } = await runProgram(
      CLIENTS,
      ["--url", url, "--token", token, "--only", "by admin_token", ...authority],
      { HEARTH_CLIENTS_PATIENCE: String(pace()) },
      pacedSeconds(CLIENTS_SECONDS_MAX) * 1_000,
    );
    equal(exitCode, 0, `the clients ended with ${exitCode}:\n${printed}`);
  },
});
