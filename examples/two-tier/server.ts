/** A server of the demo: a scratch root, and a real agent on it that can be killed and started again. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { z } from "zod";
import type { Processes, RunningProcess } from "./processes.ts";

const POLL_MS = 300;
const RETRY_MS = 200;

const GATE = "gate";
/** What the agent itself keeps in its root. */
const AGENT_ENTRIES = [
  "deployed",
  "results",
  "running",
  "scripts",
  "outputs",
  "logs",
  "runs.jsonl",
];

const RunLine = z.object({
  deployment: z.string(),
  action: z.string(),
  exit_code: z.number().nullable(),
  derived_id: z.string(),
});
/** One line of the agent's own record of what it ran. */
export type Run = z.infer<typeof RunLine>;

const LogLine = z.object({
  event: z.string(),
  name: z.string().optional(),
  action: z.string().optional(),
  exit_code: z.number().optional(),
  answer: z.string().optional(),
});

export interface Server {
  readonly name: string;
  startAgent(metadataUrl: string): void;
  /** As a power cut would: no script is ended, nothing is written. */
  killAgent(): Promise<void>;
  /** Scripts that wait for the gate go on when it is open. */
  openGate(): void;
  closeGate(): void;
  /** How often the agent has begun a script. */
  scriptsStarted(): number;
  runs(): readonly Run[];
  /** What the scripts have left in the root: every file's content by its path. */
  effects(): Readonly<Record<string, string>>;
}

export const openServer = (processes: Processes, name: string, root: string): Server => {
  mkdirSync(root, { mode: 0o700 });
  const processName = `${name} agent`;
  const gate = join(root, GATE);
  const agent: { process?: RunningProcess } = {};
  return {
    name,
    startAgent: (metadataUrl) => {
      const options = ["--interval-ms", String(POLL_MS), "--retry-ms", String(RETRY_MS)];
      agent.process = processes.start({
        name: processName,
        program: "agent/hearth-agent.ts",
        args: ["--metadata-url", metadataUrl, "--root", root, ...options],
        // Scripts inherit it, so it holds what a bare server has.
        environment: { PATH: process.env["PATH"], GATE, ...extraCertificates() },
        show: showLogLine,
      });
    },
    killAgent: async () => {
      agent.process?.kill("SIGKILL");
      await agent.process?.ended;
    },
    openGate: () => closeSync(openSync(gate, "w")),
    closeGate: () => rmSync(gate, { force: true }),
    scriptsStarted: () =>
      processes
        .linesOf(processName)
        .filter((line) => parseLogLine(line)?.event === "script started").length,
    runs: () => readRuns(join(root, "runs.jsonl")),
    effects: () => readEffects(root),
  };
};

/** A server trusts an API whose certificate is of somebody's own making only where it was told to. */
const extraCertificates = (): NodeJS.ProcessEnv => {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  return NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
};

const parseLogLine = (line: string): z.infer<typeof LogLine> | null => {
  try {
    return LogLine.parse(JSON.parse(line));
  } catch {
    return null;
  }
};

/** What its owner would want to see of an agent's log. */
const showLogLine = (line: string): string | null => {
  const entry = parseLogLine(line);
  if (entry === null) return line;
  const { event, name = "", action = "", exit_code: exitCode, answer } = entry;
  switch (event) {
    case "agent started":
      return event;
    case "script started":
      return `${event}: ${name} ${action}`;
    case "script ended":
      return `${event}: ${name}, exit code ${exitCode}`;
    case "result signalled":
      return `${event}, answer ${answer}`;
    default:
      return null;
  }
};

const readRuns = (path: string): readonly Run[] => {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => RunLine.parse(JSON.parse(line)));
};

const readEffects = (root: string): Readonly<Record<string, string>> => {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => path !== GATE && !AGENT_ENTRIES.includes(path.split("/")[0] ?? ""))
    .sort();
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
};
