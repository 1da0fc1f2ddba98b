import picocolors from "picocolors";
import { checkEffects } from "./evidence.ts";
import type { OwnHost } from "./host.ts";
import type { Server } from "./server.ts";
import { type CommandEnd, type Stage, targetArguments, untilEvent, untilState } from "./stage.ts";
import { until } from "./until.ts";

const HEAT_REASON =
  "Error: resources.web_deploy: Deployment to server failed: deploy_status_code : Deployment exited with non-zero status code: 3";
const STDERR = "web: release 2.0 does not start: port 8080 is taken";

const SUCCEEDED = /succeeded$/;

const heading = (text: string): void => console.log(`\n${picocolors.bold(text)}`);

interface CreateCommand {
  readonly ended: Promise<void>;
}

/**
 * The returned promise resolves once the outputs do, so the agents start before the create ends.
 */
export const createStack = async (stage: Stage): Promise<CreateCommand> => {
  heading("a. A create, whose database script waits at a gate");
  const { api, checks, db, web } = stage;
  const args = ["create", ...targetArguments(stage, "two-tier.yaml")];
  const command = stage.stackCommand("create", args);
  await until("the stack", api.findStack);
  for (const server of [web, db]) server.startAgent(await metadataUrl(stage, server));
  await until("the database's script", () => (db.scriptsStarted() > 0 ? true : null));
  checks.equal(
    "the agents work while the create runs",
    await api.stackStatus(),
    "CREATE_IN_PROGRESS",
  );
  const ended = command.then(({ exitCode, lines }) => {
    const toldSo = lines.some((line) => line.includes("overtaken by another operation (UPDATE)"));
    checks.holds("the create ends by saying that it was overtaken", toldSo, lines.at(-1));
    checks.equal("and with exit code 1", exitCode, 1);
  });
  return { ended };
};

const metadataUrl = ({ api }: Stage, server: Server): Promise<string> =>
  until(`${server.name}'s metadata URL`, () => api.output(`${server.name}_metadata_url`));

export const overtakeCreate = async (stage: Stage, create: CreateCommand): Promise<void> => {
  heading("b. While it waits, an update to another release with one deployment more");
  const { api, checks, db } = stage;
  const update = stage.stackCommand("update", [
    "update",
    ...targetArguments(stage, "two-tier-v2.yaml"),
  ]);
  const overtaken = /^Error: resources\.db_deploy: CREATE overtaken$/;
  await untilEvent(stage, "db_deploy", "CREATE_FAILED", overtaken);
  await untilState(stage, "db_deploy", "CREATE_IN_PROGRESS");
  checks.equal("overtaken at once, and begun again in place", db.runs().length, 0);
  checks.equal("the stack is on its new way", await api.stackStatus(), "UPDATE_IN_PROGRESS");
  stage.host?.keepData();
  await create.ended;
  db.openGate();
  checks.equal("the update ends with exit code 0", (await update).exitCode, 0);
  await untilEvent(stage, "db_deploy", "SIGNAL_IN_PROGRESS", SUCCEEDED);
  const results = await api.events("db_deploy");
  const counted = results.filter(({ resource_status_reason: reason }) =>
    SUCCEEDED.test(reason ?? ""),
  );
  checks.equal("the late signal of the run that was overtaken changed nothing", counted.length, 1);
  stage.secrets.learnPassword(db.effects()["db/credentials"] ?? "");
  await api.readEverything();
  checkEffects(stage, "converged");
};

export const overtakeDeadAgent = async (stage: Stage): Promise<void> => {
  heading("   The same where the agent is dead: kill -9 of the web server's, and two updates");
  const { api, checks, web } = stage;
  await web.killAgent();
  const args = ["update", ...targetArguments(stage, "two-tier-v2.yaml", "1.2"), "--no-wait"];
  checks.equal("an update is accepted", (await stage.stackCommand("update", args)).exitCode, 0);
  await untilState(stage, "web_deploy", "UPDATE_IN_PROGRESS");
  const newer = ["update", ...targetArguments(stage, "two-tier-v2.yaml", "1.3")];
  const update = stage.stackCommand("update", newer);
  const overtaken = /^Error: resources\.web_deploy: UPDATE overtaken$/;
  await untilEvent(stage, "web_deploy", "UPDATE_FAILED", overtaken);
  await untilState(stage, "web_deploy", "UPDATE_IN_PROGRESS");
  checks.equal("overtaken without its agent", await api.stackStatus(), "UPDATE_IN_PROGRESS");
  web.startAgent(await metadataUrl(stage, web));
  checks.equal("the update ends with exit code 0", (await update).exitCode, 0);
  checkEffects(stage, "after the dead agent");
};

export const updateAgain = async (stage: Stage): Promise<void> => {
  const { api, checks, db, host } = stage;
  heading(host ? "c. kill -9 of the host in the middle of another update" : "c. Another update");
  db.closeGate();
  const started = db.scriptsStarted();
  const update = stage.stackCommand("update", [
    "update",
    ...targetArguments(stage, "two-tier-v2.yaml", "1.4"),
  ]);
  await until("the database's script", () => (db.scriptsStarted() > started ? true : null));
  checks.equal("an update runs", await api.stackStatus(), "UPDATE_IN_PROGRESS");
  if (host === null) {
    checks.leftOut("kill -9 of the host in the middle of it: the API is not the demo's own");
    db.openGate();
    checks.equal("the update ends with exit code 0", (await update).exitCode, 0);
  } else {
    await killHostUnder(stage, host, update);
  }
  checkEffects(stage, "updated again");
};

const killHostUnder = async (
  { api, checks, db }: Stage,
  host: OwnHost,
  update: Promise<CommandEnd>,
): Promise<void> => {
  const before = await api.counters();
  checks.equal("the host is killed", await host.kill("SIGKILL"), "SIGKILL");
  host.keepData();
  const runs = db.runs().length;
  db.openGate();
  await until("the script's end", () => (db.runs().length > runs ? true : null));
  await host.restart();
  checks.equal("the update goes on and ends with exit code 0", (await update).exitCode, 0);
  const after = await api.counters();
  const kept = Object.entries(before).every(([name, count]) => (after[name] ?? 0) >= count);
  checks.holds("what was counted before the kill is still counted", kept);
};

export const suspendAndResume = async (stage: Stage): Promise<void> => {
  heading("d. Suspend and resume");
  const { checks, stack } = stage;
  const suspended = await stage.stackCommand("suspend", ["suspend", stack]);
  checks.equal("the suspend ends with exit code 0", suspended.exitCode, 0);
  checkEffects(stage, "suspended");
  const resumed = await stage.stackCommand("resume", ["resume", stack]);
  checks.equal("the resume ends with exit code 0", resumed.exitCode, 0);
  checkEffects(stage, "resumed");
};

export const rollFailingUpdateBack = async (stage: Stage): Promise<void> => {
  heading("   An update whose script exits 3, rolled back");
  const { api, checks } = stage;
  const args = ["update", ...targetArguments(stage, "two-tier-broken.yaml", "2.0")];
  const update = await stage.stackCommand("update", [...args, "--enable-rollback"]);
  checks.equal("the update ends with exit code 1", update.exitCode, 1);
  checks.equal("the stack is back", await api.stackStatus(), "ROLLBACK_COMPLETE");
  const failure = await untilEvent(stage, "web_deploy", "UPDATE_FAILED", /exited with/);
  const reason = failure.resource_status_reason ?? "";
  checks.holds("the deployment's reason is Heat's text", reason.startsWith(HEAT_REASON), reason);
  checks.holds(
    "the resource's reason ends with the stderr",
    reason.trimEnd().endsWith(STDERR),
    reason,
  );
  await api.readEverything();
  checkEffects(stage, "rolled back");
};

export const deleteStack = async (stage: Stage): Promise<void> => {
  heading("   Delete");
  const { api, checks, stack } = stage;
  const end = await stage.stackCommand("delete", ["delete", stack, "--yes"]);
  checks.equal("the delete ends with exit code 0", end.exitCode, 0);
  checks.equal("the stack is gone", await api.findStack(), null);
  checks.equal("and was deleted well", await api.stackStatus(), "DELETE_COMPLETE");
  checkEffects(stage, "deleted");
};
