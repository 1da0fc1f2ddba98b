/**
 * The checks of one installation: the demo, a host with a stack whose server two agents serve in
 * turn, and commands that need no host.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Check } from "../crash/checks.ts";
import { type Installed, withEnvironment } from "./installed.ts";
import { type Running, startProgram, startServing } from "./processes.ts";
import { type RunEnd, run } from "./run.ts";

const INSTALLED_BYTES_MAX = 25 * 1024 * 1024;
const PAGE = 'Hello, ["Ada","Grace"]';

const expectEnd = (name: string, end: RunEnd, text: string, code = 0): Check => ({
  name,
  wrong: [
    ...(end.code === code ? [] : [`exit code ${end.code}: ${end.stderr}`]),
    ...(end.stdout.includes(text) ? [] : [`no ${text} in: ${end.stdout}`]),
    ...(code !== 0 || end.stderr === "" ? [] : [`on standard error: ${end.stderr}`]),
  ],
});

export const installedChecks = (installed: Installed): readonly Check[] => [
  {
    name: `the installed package is small: ${installed.bytes} bytes`,
    wrong: installed.bytes < INSTALLED_BYTES_MAX ? [] : [`at most ${INSTALLED_BYTES_MAX}`],
  },
  { name: "npm warns of nothing", wrong: installed.warnings },
];

const checkProvider = async ({ hearth, packageFolder, folder }: Installed): Promise<Check> => {
  const files = join(folder, "provided");
  mkdirSync(files);
  const properties = JSON.stringify({ path: join(files, "a") });
  const source = join(packageFolder, "examples/provider/my-file.mjs");
  const ended = await hearth("provider", "check", source, "--properties", properties);
  return expectEnd("hearth provider check", ended, " 0 failed");
};

export async function* withoutHost(installed: Installed, version: string): AsyncGenerator<Check> {
  const { hearth, packageFolder } = installed;
  yield expectEnd("hearth --version", await hearth("--version"), version);
  yield expectEnd("hearth demo", await hearth("demo"), PAGE);
  yield await checkProvider(installed);
  const aws = await hearth("aws", "api-token", "--table", "t", "--project", "p");
  const named = /npm install --global .*@aws-sdk\/client-dynamodb /.test(aws.stderr);
  yield {
    name: "hearth aws names the SDK's packages",
    wrong: named && aws.code === 1 ? [] : [aws.stderr],
  };
  const example = join(packageFolder, "examples/two-tier/no-such-file.yaml");
  const missing = await hearth("template", "validate", "-t", example);
  const refused = missing.code === 2 && missing.stderr.includes("there is no such file");
  yield { name: "a missing template is one line", wrong: refused ? [] : [missing.stderr] };
}

const SCRIPT_TRIES_MAX = 40;
const SCRIPT_PAUSE_MS = 250;

const bootstrapScript = async ({ hearth }: Installed): Promise<string> => {
  for (let tries = 1; ; tries += 1) {
    const words = ["server", "bootstrap", "greeter", "--format", "script", "--local"];
    const { code, stdout, stderr } = await hearth(...words);
    if (code === 0) return stdout;
    if (tries === SCRIPT_TRIES_MAX) throw new Error(`no bootstrap script: ${stderr}`);
    await pause(SCRIPT_PAUSE_MS);
  }
};

interface Machine {
  readonly urlFile: string;
  readonly program: string;
  readonly root: string;
}

const layOut = async (installed: Installed): Promise<Machine> => {
  const { folder, environment } = installed;
  const [script, machine] = [join(folder, "user-data"), join(folder, "machine")];
  writeFileSync(script, await bootstrapScript(installed));
  mkdirSync(machine);
  const options = { cwd: folder, environment: { ...environment, DESTDIR: machine } };
  const { code, stderr } = await run("sh", [script], options);
  if (code !== 0) throw new Error(`the bootstrap script failed: ${stderr}`);
  return {
    urlFile: join(machine, "etc/hearth-agent.url"),
    program: join(machine, "opt/hearth/hearth-agent.mjs"),
    root: join(folder, "work"),
  };
};

const ENDS = { stop: "ends at SIGTERM", ended: "ends by itself" } as const;

async function* during(
  name: string,
  program: Running,
  checks: () => AsyncGenerator<Check>,
  end: keyof typeof ENDS = "stop",
): AsyncGenerator<Check> {
  let code: number | null = null;
  try {
    yield* checks();
  } finally {
    code = await program[end]();
  }
  const errors = program.errors();
  yield { name: `${name} ${ENDS[end]}`, wrong: code === 0 ? [] : [`exit code ${code}`] };
  yield { name: `${name} warns of nothing`, wrong: errors === "" ? [] : [errors] };
}

const template = ({ packageFolder }: Installed): readonly string[] => [
  "-t",
  join(packageFolder, "examples/own-server/server.yaml"),
];

/** The host reads a text of this size in a thread, whose program comes with the package. */
const LARGE_TEXT_CHARS = 100_000;

const largeTemplate = ({ folder }: Installed): string => {
  const file = join(folder, "large.yaml");
  const lines = ["heat_template_version: 2018-08-31", "description: |", "  many"];
  const filler = `  ${"many words ".repeat(8)}\n`;
  const text = filler.repeat(Math.ceil(LARGE_TEXT_CHARS / filler.length));
  const parameters = "parameters:\n  large: { type: string, default: x }\n";
  writeFileSync(file, `${lines.join("\n")}\n${text}${parameters}`);
  return file;
};

async function* stackLife(installed: Installed): AsyncGenerator<Check> {
  const { hearth } = installed;
  const validated = await hearth("template", "validate", ...template(installed));
  yield expectEnd("hearth template validate", validated, "greeting");
  const large = await hearth("template", "validate", "-t", largeTemplate(installed));
  yield expectEnd("hearth template validate of a large text", large, "large");
  const create = ["stack", "create", "--no-wait", ...template(installed), "greeter"];
  yield expectEnd("hearth stack create", await hearth(...create), "-");
  const { urlFile, program, root } = await layOut(installed);
  const pace = ["--root", root, "--interval-ms", "200"];
  const bootstrapped = [program, "--metadata-url-file", urlFile, ...pace];
  yield* during(
    "the bootstrapped agent",
    startProgram(installed, "node", bootstrapped),
    async function* () {
      const change = ["--parameter", "greeting=Welcome", "greeter"];
      const updated = await hearth("stack", "update", ...template(installed), ...change);
      yield expectEnd("an update overtakes the create and completes", updated, "Welcome");
    },
  );
  const url = readFileSync(urlFile, "utf8").trim();
  const own = startProgram(installed, "hearth", ["agent", "--metadata-url", url, ...pace]);
  const remove = async function* () {
    const deleted = await hearth("stack", "delete", "--yes", "greeter");
    yield expectEnd("a delete runs its script and completes", deleted, "DELETE_COMPLETE");
  };
  // The agent's poll is answered with 410. A signal while it ends would find no handler.
  yield* during("hearth agent", own, remove, "ended");
  yield expectEnd("hearth doctor", await hearth("doctor"), "");
}

export async function* withHost(installed: Installed): AsyncGenerator<Check> {
  const host = await startServing(installed, ["--data", join(installed.folder, "data")]);
  const environment = { ...installed.environment, HEARTH_ENDPOINT: host.url };
  const reached = withEnvironment(installed, environment);
  yield* during("the host", host, () => stackLife(reached));
}
