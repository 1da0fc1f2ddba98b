import { shellWord } from "#lib/texts.ts";
import type { OutputTail } from "./facts.ts";
import { QUOTED_CHARS_MAX } from "./limits.ts";

const UNITS = [
  { name: "days", ms: 86_400_000, from: 2 },
  { name: "h", ms: 3_600_000, from: 2 },
  { name: "min", ms: 60_000, from: 2 },
] as const;

/** Durations for use in a sentence: one unit, rounded down. */
export const span = (milliseconds: number): string => {
  const ms = Math.max(milliseconds, 0);
  const unit = UNITS.find((candidate) => ms >= candidate.from * candidate.ms);
  return unit === undefined
    ? `${Math.floor(ms / 1_000)} s`
    : `${Math.floor(ms / unit.ms)} ${unit.name}`;
};

/** How a diagnosis words durations, quotes of output, and advice. */
export const ago = (time: number, now: number): string => `${span(now - time)} ago`;

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(/\p{Cc}+/gu, " ").trim())
    .filter((line) => line !== "");

/** Cuts by characters, because the store cannot keep half of a surrogate pair. */
const quoted = (line: string): string => {
  const characters = [...line];
  const isLong = characters.length > QUOTED_CHARS_MAX;
  return `"${isLong ? `${characters.slice(0, QUOTED_CHARS_MAX).join("")}...` : line}"`;
};

export const lastLine = (output: OutputTail | null): string | null => {
  const line = [output?.deploy_stdout, output?.deploy_stderr]
    .map((text) => linesOf(text ?? "").at(-1))
    .find((last) => last !== undefined);
  return line === undefined ? null : quoted(line);
};

export const lastErrorLines = (output: OutputTail | null, linesMax: number): readonly string[] =>
  linesOf(output?.deploy_stderr ?? "")
    .slice(-linesMax)
    .map(quoted);

export const installAgent = (stackId: string, server: string): string =>
  `if the machine has no agent yet, run there what this prints: \`hearth server bootstrap ${stackId} ${shellWord(server)}\``;
export const CHECK_CONSOLE = "check the machine's console output";
export const START_SERVER = "start the server, or replace it";
export const REPORT_STATE =
  "report what the provisioner says (`hearth server report`): this tells a machine that did not boot from a broken network";
export const CHECK_ADDRESS = "check its port, its subnet and DHCP";
export const CHECK_NETWORK =
  "from the server, fetch the metadata URL with curl; the usual causes are routes, DNS, proxies and firewalls";
export const CHECK_BOOTSTRAP =
  "on the server, check the script's output (with cloud-init: /var/log/cloud-init-output.log)";
export const CHECK_METADATA_URL =
  "compare the URL in the agent's configuration with the server's attribute os_collect_config, or run the output of `hearth server bootstrap` again";
export const CHECK_AGENT =
  "on the server, check the agent's service and its log (hearth-agent or os-collect-config)";
export const CHECK_HOOKS =
  "on the server, check the agent's log and whether a hook with the tool's name is installed";
export const CHECK_FAILED_STEP =
  "on the server, check the agent's log: after a failed step os-refresh-config runs no further steps and no hooks, and starts again at each poll";
export const CHECK_SIGNAL_URL =
  "on the server, check whether the URL in deploy_signal_id is reachable; the agent's log has the answers it got";
export const CHECK_SIGNATURE =
  "compare the URL that arrives with the one in the document. A proxy can change its query. Another server or an earlier deployment has another signature";
export const CHECK_SERVER = "check that the server still runs and reaches the network";
export const CHECK_RUN =
  "check that the server and its agent still run, and what the script is doing";
export const readLogs = (id: string, stream: "stdout" | "stderr"): string =>
  `what it has printed: \`hearth deployment logs ${id}${stream === "stderr" ? " --stderr" : ""}\``;
export const stopRun = (id: string): string =>
  `to end that run now: \`hearth deployment stop ${id}\``;
export const REPEAT_LOST_RESULT =
  "stock agents send a result only once: retry the deployment (`hearth deployment retry`) or set its result";
export const REPEAT_REFUSED_RESULT =
  "the agent sends the result again before each poll, but not after a 4xx answer: then retry the deployment (`hearth deployment retry`) or set its result";
export const UNKNOWN_SENDER =
  "an earlier run of this deployment, or someone else, may have sent it";
export const CHECK_SERVER_ID =
  "check the deployment's server: it names the id of a server resource, as get_resource gives it";
export const OTHER_SERVER = "update the stack so that the deployment has a server again, or none";
export const SET_RESULT = "the owner of the server must set the deployment's result";
export const abandonUnreachable = (id: string): string =>
  `if the server does not come back, give the delete up: \`hearth stack delete --abandon-unreachable\`, or \`hearth deployment set-result ${id} --abandon-unreachable\` for this deployment alone`;
