import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { pluginFile } from "#host/plugins/load-plugin.ts";
import { isRemote } from "#host/plugins/remote-plugin.ts";
import { checkReach, demandsTokens, type ReachOptions } from "#host/reach.ts";
import { CLOSE_SECONDS_MAX, STOP_SECONDS_DEFAULT } from "#host/stop-seconds.ts";
import { startFailure } from "./start-failure.ts";

const LOW_PORTS_END = 1_024;
const LISTENING = /^--(port|listen|agents-listen|metrics-listen)$/;

/** In a single executable the program and its script are the same file, which is named once. */
const programOf = (node: string, script: string | undefined): readonly string[] => {
  const program = [realpathSync(node), realpathSync(script ?? node)];
  return [...new Set(program)];
};

interface Given {
  readonly name: string;
  readonly value: string | null;
}

/** A plug-in may be a package, which is only found from the current folder. */
const pathIn = (option: string, text: string): string => {
  if (option !== "--plugin") return resolve(text);
  return isRemote(text) ? text : orRefused(() => pluginFile(text));
};

const givenOptions = (command: Command): readonly Given[] =>
  command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === "cli")
    .flatMap((option): Given[] => {
      const { long, flags } = option;
      const name = long ?? flags;
      const value: unknown = command.getOptionValue(option.attributeName());
      if (typeof value === "boolean") return [{ name, value: null }];
      const isPath = /<(file|folder)>/.test(flags);
      const values = Array.isArray(value) ? value.map(String) : [String(value)];
      return values.map((text) => ({ name, value: isPath ? pathIn(name, text) : text }));
    });

const portOf = (value: string): number => Number(/(?:^|:)(\d+)$/.exec(value)?.[1] ?? 0);

const unitOf = (command: Command, needsToken: boolean): ServiceUnit => {
  const given = givenOptions(command).filter(({ name }) => name !== "--install-service");
  return {
    program: programOf(process.execPath, process.argv[1]),
    data: given.find(({ name }) => name === "--data")?.value ?? null,
    options: given
      .filter(({ name }) => name !== "--data")
      .flatMap(({ name, value }) => (value === null ? [name] : [name, value])),
    needsLowPort: given.some(({ name, value }) => {
      const port = LISTENING.test(name) ? portOf(value ?? "") : 0;
      return port > 0 && port < LOW_PORTS_END;
    }),
    stopSeconds: Number(
      given.find(({ name }) => name === "--stop-seconds")?.value ?? STOP_SECONDS_DEFAULT,
    ),
    needsToken,
  };
};

/** A unit with options that `serve` refuses would fail at each of its starts. */
const orRefused = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw startFailure(error, null);
  }
};

export const printServiceUnit = (command: Command, reach: ReachOptions): void => {
  orRefused(() => checkReach(reach));
  const unit = unitOf(command, demandsTokens(reach));
  for (const path of hiddenPaths(unit))
    process.stderr.write(
      `WARNING: The service cannot see ${path}. Put it elsewhere; Hearth itself belongs below /usr/local.\n`,
    );
  process.stdout.write(serviceUnit(unit));
};

export interface ServiceUnit {
  readonly program: readonly string[];
  readonly options: readonly string[];
  /** Null for the folder that systemd makes. */
  readonly data: string | null;
  readonly needsLowPort: boolean;
  /** How long the host waits for calls of providers. systemd must not end it before. */
  readonly stopSeconds: number;
  readonly needsToken: boolean;
}

const STATE_FOLDER = "/var/lib/hearth";
/** A busy machine closes the host later than planned. */
const STOP_RESERVE_SECONDS = CLOSE_SECONDS_MAX + 11;
/** The unit hides these folders from the host, or only root and their owner can read them. */
const HIDDEN = ["home", "root", "run/user", "tmp", "var/tmp"];

/** systemd expands specifiers even within quotes. */
const quoted = (word: string): string => {
  const escaped = word.replaceAll("%", "%%");
  if (/^[\w@%+=:,./$-]+$/.test(escaped)) return escaped;
  const text = escaped.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${text}"`;
};

/** In a command systemd expands variables too. */
const argument = (word: string): string => quoted(word.replaceAll("$", "$$$$"));

const shown = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''").replaceAll("\n", "?")}'`;

/** The systemd unit of a host on this machine. Hearth only prints it; an operator installs it. */
export const hiddenPaths = ({ program, options, data }: ServiceUnit): readonly string[] =>
  [...program, ...options, data ?? STATE_FOLDER].filter((path) =>
    HIDDEN.some((folder) => path.startsWith(`/${folder}/`)),
  );

/** systemd makes its folder only at the first start, but a token is needed before that. */
const folderLines = (data: string | null, needsToken: boolean): readonly string[] => {
  const folder = shown(data ?? STATE_FOLDER);
  return [
    ...(data === null && !needsToken
      ? []
      : [`#   install --directory --mode 0700 --owner hearth --group hearth ${folder}`]),
    ...(needsToken
      ? [`#   runuser --user hearth -- hearth token create --project NAME --data ${folder}`]
      : []),
  ];
};

const installLines = ({ data, needsToken }: ServiceUnit): readonly string[] => [
  "# The host of Hearth. As root:",
  "#   useradd --system --user-group --no-create-home --shell /usr/sbin/nologin hearth",
  ...folderLines(data, needsToken),
  "#   hearth serve --install-service > /etc/systemd/system/hearth.service  # with your options",
  "#   systemctl daemon-reload && systemctl enable --now hearth",
  "# Commands on its data folder run as its user:",
  `#   runuser --user hearth -- hearth backup FILE --data ${shown(data ?? STATE_FOLDER)}`,
];

/** V8 makes code at run time, so MemoryDenyWriteExecute cannot be set. */
const LOCKED = `NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectHostname=yes
ProtectClock=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectProc=invisible
ProcSubset=pid
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
UMask=0077`;

/** In a user namespace of its own the host has no right to a low port. */
const capabilities = (needsLowPort: boolean): string =>
  needsLowPort
    ? `${LOCKED.replace("PrivateUsers=yes\n", "")}
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
AmbientCapabilities=CAP_NET_BIND_SERVICE`
    : `${LOCKED}\nCapabilityBoundingSet=\nAmbientCapabilities=`;

export const serviceUnit = (unit: ServiceUnit): string => {
  const { program, options, data, needsLowPort, stopSeconds } = unit;
  const command = [...program, "serve", "--data", data ?? STATE_FOLDER, ...options];
  const folder =
    data === null
      ? "StateDirectory=hearth\nStateDirectoryMode=0700"
      : `ReadWritePaths=${quoted(data)}`;
  return `${installLines(unit).join("\n")}

[Unit]
Description=Hearth, an orchestration engine for HOT templates
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=exec
User=hearth
Group=hearth
${folder}
ExecStart=${command.map(argument).join(" ")}
Restart=on-failure
RestartSec=5
KillMode=mixed
TimeoutStopSec=${stopSeconds + STOP_RESERVE_SECONDS}
LimitNOFILE=65536

${capabilities(needsLowPort)}

[Install]
WantedBy=multi-user.target
`;
};
