/** The two-tier demo against the deployed API: real agents, the command line, and nothing but HTTP between them. */
import { equal } from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PROJECT, type Story } from "../lane.ts";

const DEMO = fileURLToPath(new URL("../../../examples/two-tier/demo.ts", import.meta.url));
/** It takes a minute and a half on MiniStack, on two cores. */
const DEMO_MS_MAX = 400_000;

/** `certificate` is the emulator's own: the demo, its commands and its agents have to be told of it. */
export const demo = (certificate?: string): Story => ({
  name: "the two-tier demo runs against the deployed API",
  play: async ({ url, token, planted }) => {
    const apiKey = `planted-${crypto.randomUUID()}`;
    planted.push(apiKey);
    const args = ["--endpoint", url, "--project", PROJECT, "--api-key", apiKey];
    const { exitCode, printed } = await runDemo(args, {
      HEARTH_TOKEN: token,
      ...(certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate }),
    });
    equal(exitCode, 0, `the demo ended with ${exitCode}:\n${printed}`);
  },
});

interface DemoEnd {
  readonly exitCode: number | null;
  readonly printed: string;
}

const runDemo = (args: readonly string[], variables: NodeJS.ProcessEnv): Promise<DemoEnd> => {
  const child = spawn(process.execPath, [DEMO, ...args], {
    timeout: DEMO_MS_MAX,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...variables },
  });
  // When the lane gives up, the demo ends its agents and itself.
  const stop = () => child.kill();
  process.once("exit", stop);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => chunks.push(text));
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (exitCode) => {
      process.off("exit", stop);
      resolve({ exitCode, printed: chunks.join("") });
    });
  });
};
