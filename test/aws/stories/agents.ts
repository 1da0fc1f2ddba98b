import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { PROJECT, type Story } from "../lane.ts";
import { certified, runProgram } from "../run-program.ts";

const AGENTS = fileURLToPath(new URL("../../agents/agents.ts", import.meta.url));
const AGENTS_MS_MAX = 600_000;

export const agents = (certificate?: string): Story => ({
  name: "the agents' lane runs against the deployed API",
  isLong: true,
  play: async ({ url, token }) => {
    const args = ["--endpoint", url, "--project", PROJECT];
    const variables = { HEARTH_TOKEN: token, ...certified(certificate) };
    const { exitCode, printed } = await runProgram(AGENTS, args, variables, AGENTS_MS_MAX);
    equal(exitCode, 0, `the agents' lane ended with ${exitCode}:\n${printed}`);
  },
});
