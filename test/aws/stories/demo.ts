import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { PROJECT, type Story } from "../lane.ts";
import { pacedSeconds } from "../pace.ts";
import { certified, runProgram } from "../run-program.ts";

const DEMO = fileURLToPath(new URL("../../../examples/two-tier/demo.ts", import.meta.url));
/** The demo takes 90 s on MiniStack, on two cores. */
const DEMO_MS_MAX = 600_000;

export const demo = (certificate?: string): Story => ({
  name: "the two-tier demo runs against the deployed API",
  isLong: true,
  play: async ({ url, token, planted }) => {
    const apiKey = `planted-${crypto.randomUUID()}`;
    planted.push(apiKey);
    const args = ["--endpoint", url, "--project", PROJECT, "--api-key", apiKey];
    args.push("--patience", String(pacedSeconds(1)));
    const variables = { HEARTH_TOKEN: token, ...certified(certificate) };
    const { exitCode, printed } = await runProgram(DEMO, args, variables, DEMO_MS_MAX);
    equal(exitCode, 0, `the demo ended with ${exitCode}:\n${printed}`);
  },
});
