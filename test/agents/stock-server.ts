/**
 * A pretend server with the stock agents, as in an image with OpenStack's elements. All its files
 * are in a private folder, so an ordinary user can run any number of servers side by side.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { certificates } from "./certificates.ts";
import { killedAtExit, killGroup, signalGroup } from "./process-groups.ts";
import type { StockAgents } from "./stock-agents.ts";

/** Stock agents poll every 30 s. A faster pace changes nothing else. */
const POLL_SECONDS = "0.5";

const WRAPPER_HOOKS = fileURLToPath(new URL("../../apps/agent/hooks", import.meta.url));

const GROUPS = ["script", "json-file", "apply-config"] as const;

export interface StockServer {
  readonly folder: string;
  start(metadataUrl: string): void;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  begun(): number;
  log(): string;
}

export interface ServerOptions {
  readonly statusAware?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
}

export const openStockServer = (
  agents: StockAgents,
  folder: string,
  { statusAware = false, environment = {} }: ServerOptions = {},
): StockServer => {
  const at = (...path: readonly string[]) => join(folder, ...path);
  furnish(agents, at);
  const logFile = at("agent.log");
  const state: { child?: ChildProcess } = {};
  const hooks = statusAware ? { HEAT_CONFIG_HOOKS: WRAPPER_HOOKS } : {};
  const env = { ...serverEnvironment(agents, at), ...environment, ...hooks };
  return {
    folder,
    start: (metadataUrl) => {
      const conf = at("etc", "os-collect-config.conf");
      if (!existsSync(conf)) writeFileSync(conf, bootConfiguration(metadataUrl));
      const log = openSync(logFile, "a");
      const own = ["--cachedir", at("cache"), "--backup-cachedir", at("run", "cache")];
      const pace = ["--polling-interval", POLL_SECONDS, "--min-polling-interval", POLL_SECONDS];
      state.child = killedAtExit(
        spawn(
          join(agents.bin, "os-collect-config"),
          ["--config-file", conf, ...own, ...pace, "--local-path", at("local-data")],
          {
            cwd: folder,
            detached: true,
            stdio: ["ignore", log, log],
            env,
          },
        ),
      );
    },
    kill: () => killGroup(state.child),
    freeze: () => state.child && signalGroup(state.child, "SIGSTOP"),
    thaw: () => state.child && signalGroup(state.child, "SIGCONT"),
    begun: () =>
      existsSync(at("deployed"))
        ? readdirSync(at("deployed")).filter((name) => !name.endsWith(".notify.json")).length
        : 0,
    log: () => (existsSync(logFile) ? readFileSync(logFile, "utf8") : ""),
  };
};

type At = (...path: readonly string[]) => string;

const furnish = ({ bin, hooks }: StockAgents, at: At): void => {
  for (const path of ["bin", "etc", "run", "var", "hooks", "local-data", "templates"]) {
    mkdirSync(at(path), { recursive: true });
  }
  const heatConfig = join(hooks, "heat-config");
  cpSync(join(heatConfig, "os-apply-config"), at("templates"), { recursive: true });
  cpSync(join(heatConfig, "os-refresh-config"), at("os-refresh-config"), { recursive: true });
  for (const step of readdirSync(at("os-refresh-config", "configure.d"))) {
    chmodSync(at("os-refresh-config", "configure.d", step), 0o755);
  }
  install(join(heatConfig, "bin", "heat-config-notify"), at("bin", "heat-config-notify"));
  for (const group of GROUPS) {
    const hook = `heat-config-${group}/install.d/hook-${group}.py`;
    install(join(hooks, hook), at("hooks", group));
  }
  // Without these arguments the two programs would write under `/`.
  shim(at("bin", "os-apply-config"), `${join(bin, "os-apply-config")} -o ${at()}`);
  const lock = `--lockfile ${at("run", "os-refresh-config.lock")}`;
  shim(at("bin", "os-refresh-config"), `${join(bin, "os-refresh-config")} ${lock}`);
};

const install = (from: string, to: string): void => {
  cpSync(from, to);
  chmodSync(to, 0o755);
};

const shim = (path: string, command: string): void =>
  writeFileSync(path, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });

const serverEnvironment = ({ bin }: StockAgents, at: At): NodeJS.ProcessEnv => ({
  PATH: `${at("bin")}:${bin}:${process.env["PATH"] ?? ""}`,
  HOME: at(),
  // Most images have this locale. Agents that collect `local` die in it.
  LC_ALL: "C.UTF-8",
  NO_PROXY: "127.0.0.1,localhost",
  PYTHONDONTWRITEBYTECODE: "1",
  ...certificates(),
  OS_REFRESH_CONFIG_BASE_DIR: at("os-refresh-config"),
  OS_CONFIG_APPLIER_TEMPLATES: at("templates"),
  OS_CONFIG_FILES_PATH: at("cache", "os_config_files.json"),
  HEAT_SHELL_CONFIG: at("var", "run", "heat-config", "heat-config"),
  HEAT_CONFIG_HOOKS: at("hooks"),
  HEARTH_NEXT_HOOKS: at("hooks"),
  HEAT_CONFIG_DEPLOYED: at("deployed"),
  HEAT_CONFIG_DEPLOYED_OLD: at("run", "deployed"),
  HEAT_CONFIG_NOTIFY: at("bin", "heat-config-notify"),
  HEAT_SCRIPT_WORKING: at("script"),
  HEAT_SCRIPT_OUTPUTS: at("run", "script"),
});

const bootConfiguration = (metadataUrl: string): string =>
  `[DEFAULT]\ncommand = os-refresh-config\ncollectors = request\n\n[request]\nmetadata_url = ${metadataUrl}\n`;
