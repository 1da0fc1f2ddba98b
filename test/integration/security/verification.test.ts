/** Node's variable NODE_TLS_REJECT_UNAUTHORIZED turns the verification of certificates off. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { ACCESS_LOG_FILE } from "#host/access-log.ts";
import { endWorld, newFolder, openWorld, stopHost } from "../host/reach/reach-world.ts";

afterEach(endWorld);

const PROGRAM_MS_MAX = 10_000;
const SENTENCE =
  "NODE_TLS_REJECT_UNAUTHORIZED=0 would turn off the verification of certificates: unset it.";

const run = (
  program: string,
  ...args: readonly string[]
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve) => {
    const path = fileURLToPath(new URL(`../../../${program}`, import.meta.url));
    const env = { PATH: process.env["PATH"], NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const options = { env, timeout: PROGRAM_MS_MAX, killSignal: "SIGKILL" } as const;
    execFile(process.execPath, [path, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

describe("a variable that turns verification off", () => {
  it("stops the commands and the agent before they send anything", async () => {
    const { host, folder, token } = await openWorld({ accessLog: "all" });
    const commands = ["--endpoint", host.url, "--token", token, "stack", "list"];
    const command = await run("apps/cli/hearth.ts", ...commands);
    expect([command.code, command.stdout, command.stderr]).toEqual([2, "", `ERROR: ${SENTENCE}\n`]);
    const document = ["--metadata-url", `${host.url}/v1/agent/metadata/x`, "--root", newFolder()];
    for (const program of [
      ["apps/agent/hearth-agent.ts"],
      ["apps/cli/hearth.ts", "agent"],
    ] as const) {
      const [path, ...words] = program;
      const agent = await run(path, ...words, ...document);
      expect([agent.code, agent.stdout]).toEqual([2, ""]);
      expect(agent.stderr).toContain(SENTENCE);
    }
    await stopHost(host);
    expect(() => readFileSync(join(folder, ACCESS_LOG_FILE))).toThrow("ENOENT");
  });
});
