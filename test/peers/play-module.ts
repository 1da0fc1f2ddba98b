import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";

const SCRIPT = fileURLToPath(new URL("play.py", import.meta.url));
const MODULE_MS_MAX = 900_000;

const Line = z.strictObject({
  id: z.string(),
  outcome: z.enum(["passed", "failed", "skipped"]),
  text: z.string(),
});
export type TestLine = z.infer<typeof Line>;

/** OpenStack's clients log in with a password. The host here accepts any. */
const configurationOf = (url: string): string =>
  `[heat_plugin]
auth_url = ${url}/v3
username = peer
password = any
project_name = demo
admin_username = peer
admin_password = any
admin_project_name = demo
user_domain_name = Default
project_domain_name = Default
user_domain_id = default
project_domain_id = default
region = RegionOne
convergence_engine_enabled = true
image_ref = image
minimal_image_ref = image
instance_type = larger-flavor
minimal_instance_type = flavor
fixed_network_name = network
build_interval = 1
build_timeout = 180
[service_available]
heat = true
`;

export const writeConfiguration = (folder: string, url: string): string => {
  const home = join(folder, "tempest");
  mkdirSync(home);
  writeFileSync(join(home, "tempest.conf"), configurationOf(url));
  return home;
};

export interface Played {
  readonly tests: readonly TestLine[];
  readonly broken: string | null;
}

export const playModule = async (
  python: string,
  configuration: string,
  module: string,
  without: readonly string[],
): Promise<Played> => {
  const words = [SCRIPT, module, ...(without.length === 0 ? [] : ["--without", ...without])];
  const env = {
    ...process.env,
    TEMPEST_CONFIG_DIR: configuration,
    TEMPEST_CONFIG: "tempest.conf",
    PYTHONWARNINGS: "ignore",
  };
  const child = spawn(python, words, {
    env,
    cwd: configuration,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: MODULE_MS_MAX,
  });
  let last = "";
  createInterface({ input: child.stderr }).on("line", (line) => {
    last = line;
  });
  const tests: TestLine[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    tests.push(Line.parse(parseJson(line)));
  }
  const code = child.exitCode ?? (await new Promise((resolve) => child.once("close", resolve)));
  const isWhole = code === 0 && tests.length + without.length > 0;
  return { tests, broken: isWhole ? null : `${module} ended with ${String(code)}: ${last}` };
};
