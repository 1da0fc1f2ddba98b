/**
 * Runs one derived config on this server, at most once per id:
 * - A1: an id is recorded as started before its run begins, and never started again.
 * - A2: a result is recorded before it is sent, and sent until it is acknowledged or refused.
 * - A3: a run that died with the agent is reported as FAILED, never repeated. Only a new id runs
 * again.
 * - A4: if the agent ends a run, at its owner's request or after its timeout, the whole process
 * group has ended before another run begins. The run is reported as FAILED, with the reason.
 */
import { type Choice, chooseConfig, type Deployment } from "./document.ts";
import { failureCode } from "./json.ts";
import {
  type Records,
  type RunResult,
  type SignalTarget,
  type StartedRun,
  signalTarget,
} from "./records.ts";
import { killOrphan, printed, type RunPlace } from "./run-process.ts";
import { findHook, runHook, runScript } from "./run-tool.ts";
import {
  type HeartbeatPlace,
  type RunEnding,
  startHeartbeat,
  type WatchPlace,
  watchRun,
} from "./run-watch.ts";
import { bodyBytesMaxOf, type Outcome, sendSignal, signalBody } from "./signal.ts";

export interface Agent extends RunPlace, HeartbeatPlace {
  /** Aborted when no other run may begin. */
  readonly leave: AbortSignal;
  readonly records: Records;
  readonly hooks: string | null;
  readonly undelivered: Map<string, RunResult>;
  /** Results that were refused for good. Polls report them while the document lists their ids. */
  readonly refused: Map<string, RunResult>;
  readonly skipped: Set<string>;
}

/** @returns false if the id was started before, or nothing runs for its action */
export const runDeployment = async (
  agent: Agent,
  deployment: Deployment,
  { ask, askMs }: Pick<WatchPlace, "ask" | "askMs">,
): Promise<boolean> => {
  const { id, name } = deployment;
  if (agent.skipped.has(id) || agent.records.isStarted(id)) return false;
  const choice = chooseConfig(deployment);
  if (choice.kind === "skip") {
    agent.skipped.add(id);
    agent.log("deployment skipped", { id, name });
    return false;
  }
  const run = startedRun(deployment);
  if (!agent.records.start(run)) return false;
  const refused = refusalOf(agent, choice);
  if (refused !== null) {
    agent.log("deployment refused", { id, name, reason: refused });
    await report(agent, run, refusal(refused));
    return true;
  }
  const wantsProgress = deployment.inputs.get("deploy_status_aware") === "true";
  const heartbeat = wantsProgress ? await startHeartbeat(agent, run) : null;
  agent.log("script started", { id, name, action: run.action });
  const watch = watchRun({ stop: agent.stop, ask, askMs }, deployment);
  const ended = await execute({ ...agent, cut: watch.signal }, deployment, choice);
  const ending = watch.ending();
  await Promise.all([watch.end(), heartbeat?.end()]);
  const outcome = ended && endedBy(ended, ending);
  // The agent is stopping. The run has no result, and the next start reports it (A3).
  if (outcome === null) return true;
  const why = ending === null ? {} : { reason: ending.reason };
  agent.log("script ended", { id, name, exit_code: outcome.exitCode, ...why });
  logRun(agent, run, outcome.exitCode);
  await report(agent, run, outcome);
  return true;
};

/** The printed text stays. Outputs of an unfinished run are dropped. */
const endedBy = (outcome: Outcome, ending: RunEnding | null): Outcome =>
  ending === null
    ? outcome
    : {
        ...outcome,
        exitCode: ending.exitCode ?? outcome.exitCode,
        outputs: {},
        reason: `The agent ended the run: ${ending.reason}`,
      };

const refusalOf = (agent: Agent, choice: Choice): string | null => {
  if (choice.kind === "refuse") return choice.reason;
  const isMissing = choice.kind === "hook" && findHook(agent.hooks, choice.tool) === null;
  return isMissing ? `no hook for group ${choice.tool}` : null;
};

const execute = (agent: Agent, deployment: Deployment, choice: Choice): Promise<Outcome | null> => {
  if (choice.kind === "script") return runScript(deployment, choice.script, agent);
  const path = choice.kind === "hook" ? findHook(agent.hooks, choice.tool) : null;
  if (choice.kind !== "hook" || path === null) return Promise.resolve(refusal("no hook"));
  return runHook(deployment, { ...choice, path }, agent);
};

export const recover = (agent: Agent): void => {
  for (const run of agent.records.interrupted()) {
    const killed = killOrphan(agent.root, run.id);
    agent.log("run interrupted", { id: run.id, name: run.name, killed: String(killed) });
    const { stdout, stderr } = printed(agent.root, run.id);
    const reason = "agent restarted";
    const lines = stderr === "" || stderr.endsWith("\n") ? stderr : `${stderr}\n`;
    const ended = { ...refusal(reason), stdout, stderr: `${lines}${reason}` };
    const body = signalBody(ended, bodyBytesMaxOf(run.signal));
    logRun(agent, run, null);
    save(agent, { run, body, delivery: run.signal === null ? "NOT_WANTED" : "PENDING" });
  }
  for (const result of agent.records.undelivered()) {
    if (result.delivery === "REFUSED") agent.refused.set(result.run.id, result);
    else agent.undelivered.set(result.run.id, result);
  }
};

export const resend = async (agent: Agent): Promise<void> => {
  for (const result of [...agent.undelivered.values()]) await deliver(agent, result, 0);
};

export const send = async (agent: Agent, result: RunResult): Promise<void> => {
  save(agent, result);
  if (result.delivery === "PENDING") await deliver(agent, result);
};

export const signalOf = ({ inputs }: Deployment): SignalTarget | null => {
  const url = inputs.get("deploy_signal_id") ?? "";
  const isAware = inputs.get("deploy_status_aware") === "true";
  const wanted = url !== "" && inputs.get("deploy_signal_transport") !== "NO_SIGNAL";
  return wanted ? signalTarget(url, inputs.get("deploy_signal_verb") ?? "", isAware) : null;
};

const startedRun = (deployment: Deployment): StartedRun => {
  const { id, inputs, name } = deployment;
  return {
    id,
    name,
    deployment: inputs.get("deploy_resource_name") ?? name,
    action: inputs.get("deploy_action") ?? "",
    startedAt: new Date().toISOString(),
    signal: signalOf(deployment),
  };
};

const refusal = (reason: string): Outcome => ({
  exitCode: 1,
  stdout: "",
  stderr: reason,
  outputs: {},
  reason,
});

const report = async (agent: Agent, run: StartedRun, outcome: Outcome): Promise<void> => {
  const body = signalBody(outcome, bodyBytesMaxOf(run.signal));
  const delivery = run.signal === null ? "NOT_WANTED" : "PENDING";
  await send(agent, { run, body, delivery });
};

const deliver = async (agent: Agent, result: RunResult, retriesMax?: number): Promise<void> => {
  const { run, body } = result;
  if (run.signal === null) return;
  const sending = retriesMax === undefined ? agent : { ...agent, retriesMax };
  const { delivery, answer } = await sendSignal(run.signal, body, sending);
  agent.log("result signalled", { id: run.id, delivery, answer });
  if (delivery === "PENDING") {
    agent.undelivered.set(run.id, result);
    return;
  }
  agent.undelivered.delete(run.id);
  if (delivery === "REFUSED") agent.refused.set(run.id, result);
  save(agent, { ...result, delivery });
};

const save = (agent: Agent, result: RunResult): void =>
  logFailure(agent, result.run.id, () => agent.records.saveResult(result));

const logRun = (agent: Agent, run: StartedRun, exitCode: number | null): void =>
  logFailure(agent, run.id, () => agent.records.logRun(run, exitCode));

/** A full disk must not prevent the signal, which matters more than its record. */
const logFailure = (agent: Agent, id: string, write: () => void): void => {
  try {
    write();
  } catch (error) {
    agent.log("not recorded", { id, code: failureCode(error) });
  }
};
