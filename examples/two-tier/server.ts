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
const AGENT_ENTRIES = [
  "deployed",
  "results",
  "running",
  "scripts",
  "outputs",
  "logs",
  "ended",
  "runs.jsonl",
  "runs.1.jsonl",
  "metadata-urls.json",
];

const RunLine = z.object({
  deployment: z.string(),
  action: z.string(),
  exit_code: z.number().nullable(),
  derived_id: z.string(),
});
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
  /** Like a power cut: no script is ended, nothing is written. */
  killAgent(): Promise<void>;
  openGate(): void;
  closeGate(): void;
  scriptsStarted(): number;
  runs(): readonly Run[];
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
        program: "apps/agent/hearth-agent.ts",
        args: ["--metadata-url", metadataUrl, "--root", root, ...options],
        // Scripts inherit this environment, so it holds only what a bare server has.
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

/** A self-signed certificate is trusted only if this variable names it. */
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
