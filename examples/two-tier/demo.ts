/**
 * A stack on two servers through everything that can happen to it: overtaken while it is created, with
 * a dead agent, with a killed host, suspended, rolled back, deleted. Exits 0 only if all of it holds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createStack,
  deleteStack,
  killHostInUpdate,
  overtakeCreate,
  overtakeDeadAgent,
  rollFailingUpdateBack,
  suspendAndResume,
} from "./acts.ts";
import { type Checks, openChecks } from "./checks.ts";
import { checkNothingLeft, checkRuns, printSummary } from "./evidence.ts";
import { openProcesses, type Processes } from "./processes.ts";
import { checkNoSecret } from "./secrets.ts";
import { type Stage, setStage } from "./stage.ts";

const EXIT_FAILED = 1;
const EXIT_INTERRUPTED = 130;

const play = async (folder: string, processes: Processes, checks: Checks): Promise<void> => {
  const stage = await setStage(folder, processes, checks);
  const create = await createStack(stage);
  await overtakeCreate(stage, create);
  await overtakeDeadAgent(stage);
  await killHostInUpdate(stage);
  await suspendAndResume(stage);
  await rollFailingUpdateBack(stage);
  await deleteStack(stage);

  console.log("\nWhat must be true in the end");
  await checkNothingLeft(stage);
  checkRuns(stage);
  await checkSecrets(stage);
  await printSummary(stage);
  console.log();
  checks.equal("the host stops when it is told to", await stage.killHost("SIGTERM"), 0);
};

const checkSecrets = async (stage: Stage): Promise<void> => {
  const { api, checks, kept, processes, secrets } = stage;
  stage.keepData();
  const events = await api.events();
  checkNoSecret(checks, secrets, {
    "an event or its reason": events.map((event) => JSON.stringify(event)),
    "a message": kept.messages,
    "a file of the host's data": kept.files,
    "an answer of the API": api.answers,
    "the log of the host": processes.linesOf("host"),
    "the log of an agent": [...processes.linesOf("db agent"), ...processes.linesOf("web agent")],
    "what a command has printed": processes.linesOf("hearth"),
  });
};

/** Answers the exit code. Whatever happens, no process is left; the folder is, if something has failed. */
const main = async (): Promise<number> => {
  const began = Date.now();
  const folder = mkdtempSync(join(tmpdir(), "hearth-demo-"));
  const processes = openProcesses(folder);
  const checks = openChecks();
  const interrupted = new Promise<"interrupted">((resolve) => {
    const interrupt = () => resolve("interrupted");
    process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  });
  const played = play(folder, processes, checks).catch((error: unknown) => ({ error }));
  const end = await Promise.race([interrupted, played]);
  if (typeof end === "object") {
    checks.holds("the demo goes on to its end", false, String(end.error));
  }
  await processes.stopAll();
  if (end === "interrupted" || checks.failed === 0) rmSync(folder, { recursive: true });
  else console.log(`\nLogs, data and scratch roots are kept in ${folder}`);
  if (end === "interrupted") {
    console.log("\nInterrupted; nothing is left running.");
    return EXIT_INTERRUPTED;
  }
  const seconds = ((Date.now() - began) / 1_000).toFixed(1);
  const verdict = checks.failed === 0 ? "all hold" : `${checks.failed} FAILED`;
  console.log(`\n${checks.made} checks, ${verdict}; ${seconds} s`);
  return checks.failed === 0 ? 0 : EXIT_FAILED;
};

process.exit(await main());
