/** The hook that Hearth puts before the stock ones. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const HOOK = join(import.meta.dirname, "../../../apps/agent/hooks/status-aware");

it("takes each variable that is set but empty for one that is not set", () => {
  const input = JSON.stringify({ id: "d1", group: "none-such", inputs: [] });
  const variables = {
    HEARTH_PROGRESS_SECONDS: "",
    HEARTH_NEXT_HOOKS: "",
    HEAT_CONFIG_DEPLOYED: "",
    HEAT_CONFIG_NOTIFY: "",
  };
  const env = { PATH: process.env["PATH"], ...variables };
  const { status, stdout, stderr } = spawnSync("python3", [HOOK], { input, env, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({ deploy_stderr: "no hook for group none-such" });
});
