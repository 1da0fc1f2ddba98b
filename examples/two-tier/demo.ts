/**
 * The demo: a stack on two servers that is created, overtaken by an update, left by a dead agent
 * and a killed host, suspended, rolled back and deleted. The exit code is 0 only if every check
 * holds. `--endpoint URL` uses a running API and leaves out the steps that need a host of the
 * demo's own. `--servers docker` adds a second act.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createStack,
  deleteStack,
  overtakeCreate,
  overtakeDeadAgent,
  rollFailingUpdateBack,
  suspendAndResume,
  updateAgain,
} from "./acts.ts";
import { openChecks } from "./checks.ts";
import { checkNothingLeft, checkRuns, printSummary } from "./evidence.ts";
import { readOptions } from "./options.ts";
import { openProcesses } from "./processes.ts";
import { makeServers } from "./second-act.ts";
import { checkNoSecret } from "./secrets.ts";
import { type Stage, setStage, stackNameFor } from "./stage.ts";
import { waitLonger } from "./until.ts";

const EXIT_FAILED = 1;
const EXIT_INTERRUPTED = 130;

const play = async (stage: Stage): Promise<void> => {
  if (stage.host === null) console.log(`The stack ${stage.stack}, on an API that runs already`);
  const create = await createStack(stage);
  await overtakeCreate(stage, create);
  await overtakeDeadAgent(stage);
  await updateAgain(stage);
  await suspendAndResume(stage);
  await rollFailingUpdateBack(stage);
  await deleteStack(stage);

  console.log("\nWhat must be true in the end");
  await checkNothingLeft(stage);
  checkRuns(stage);
  await checkSecrets(stage);
  await printSummary(stage);
  if (stage.host === null) return;
  console.log();
  const stopped = await stage.host.kill("SIGTERM");
  stage.checks.equal("the host stops when it is told to", stopped, 0);
};

const checkSecrets = async (stage: Stage): Promise<void> => {
  const { api, checks, host, processes, secrets } = stage;
  host?.keepData();
  const events = await api.events();
  checkNoSecret(checks, secrets, {
    "an event or its reason": events.map((event) => JSON.stringify(event)),
    ...(host && {
      "a message": host.kept.messages,
      "a file of the host's data": host.kept.files,
      "the log of the host": processes.linesOf("host"),
    }),
    "an answer of the API": api.answers,
    "the log of an agent": [...processes.linesOf("db agent"), ...processes.linesOf("web agent")],
    "what a command has printed": processes.linesOf("hearth"),
  });
  if (host === null)
    checks.leftOut("whether a secret stands in the API's own messages, data or log");
};

/** Stops every process before it returns the exit code. The folder stays if a check has failed. */
const main = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2));
  waitLonger(options.patience);
  const stack = stackNameFor(options);
  const began = Date.now();
  const folder = mkdtempSync(join(tmpdir(), "hearth-demo-"));
  const processes = openProcesses(folder);
  const checks = openChecks();
  const interrupted = new Promise<"interrupted">((resolve) => {
    const interrupt = () => resolve("interrupted");
    process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  });
  const played = setStage(folder, processes, checks, { options, stack })
    .then(play)
    .then(() =>
      options.servers === "docker" && options.endpoint === undefined
        ? makeServers(folder, processes, checks, options)
        : undefined,
    )
    .catch((error: unknown) => ({ error }));
  const end = await Promise.race([interrupted, played]);
  if (typeof end === "object") {
    checks.holds("the demo goes on to its end", false, String(end.error));
  }
  await processes.stopAll();
  if (end === "interrupted" || checks.failed === 0) rmSync(folder, { recursive: true });
  else console.log(`\nLogs, data and scratch roots are kept in ${folder}`);
  if (options.endpoint !== undefined && (end === "interrupted" || checks.failed > 0)) {
    console.log(`\nWhat there is of the stack ${stack} is left at ${options.endpoint}`);
  }
  if (end === "interrupted") {
    console.log("\nInterrupted; nothing is left running.");
    return EXIT_INTERRUPTED;
  }
  const seconds = ((Date.now() - began) / 1_000).toFixed(1);
  const verdict = checks.failed === 0 ? "all hold" : `${checks.failed} FAILED`;
  const omitted = checks.omitted === 0 ? "" : `, ${checks.omitted} skipped`;
  console.log(`\n${checks.made} checks, ${verdict}${omitted}; ${seconds} s`);
  return checks.failed === 0 ? 0 : EXIT_FAILED;
};

process.exit(await main());
