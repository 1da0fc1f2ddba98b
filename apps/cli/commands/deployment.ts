import type { Command } from "commander";
import { z } from "zod";
import {
  DeploymentAnswer,
  DeploymentsAnswer,
  DiagnosisAnswer,
} from "#client/deployment-answers.ts";
import { deploymentPath, findDeploymentId } from "#client/find-deployment.ts";
import {
  deploymentLines,
  deploymentsTable,
  diagnosisLines,
  isHealthy,
} from "../deployment/lines.ts";
import { followLog, printLog } from "../deployment/logs.ts";
import { badUsage, EXIT_FAILED } from "../failure.ts";
import { operate, readPairs } from "../follow.ts";
import { terminalWidth } from "../print.ts";
import { collect } from "../repeated-option.ts";
import { openSession, readOptions, type Session } from "../session.ts";
import { addWaitOptions } from "../wait-options.ts";

const ListOptions = z.object({ server: z.string().optional(), long: z.boolean().default(false) });
const LogsOptions = z.object({
  stderr: z.boolean().default(false),
  follow: z.boolean().default(false),
});
const ResultOptions = z.object({
  status: z.enum(["COMPLETE", "FAILED"], "--status is COMPLETE or FAILED").optional(),
  abandonUnreachable: z.boolean().default(false),
  reason: z.string().optional(),
  output: z.array(z.string()).default([]),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  code: z.coerce.number({ error: "--code is a number" }).int("--code is a whole number").optional(),
});

const WaitOptions = z.object({ wait: z.boolean() });

type DeploymentCommand = (session: Session, id: string, command: Command) => Promise<void>;

const aboutOne = (parent: Command, name: string, act: DeploymentCommand): Command =>
  parent
    .command(`${name} <deployment> [resource]`)
    .usage("[options] <id> | <stack> <resource>")
    .action(
      async (place: string, resource: string | undefined, _options: unknown, command: Command) => {
        const session = openSession(command);
        await act(session, await findDeploymentId(session.client, place, resource), command);
      },
    );

export const addDeploymentCommands = (program: Command): void => {
  const deployment = program.command("deployment");
  deployment
    .command("list")
    .summary("the deployments of the project, oldest first")
    .option("--server <server>", "only those on this server, by its name in the list or its id")
    .option("--long", "with ids")
    .action(list);
  aboutOne(deployment, "show", show).summary("a deployment with its inputs and outputs");
  aboutOne(deployment, "diagnose", diagnose).summary(
    "say where it hangs and why; exits with 1 if something is wrong",
  );
  aboutOne(deployment, "logs", logs)
    .summary("its output: the end while it runs, then all of it")
    .option("--stderr", "standard error instead of standard output")
    .option("-f, --follow", "go on until it ends");
  aboutOne(deployment, "retry", retry).summary(
    "deliver the running action again: the server repeats it",
  );
  addWaitOptions(deployment.command("run-again <stack> <resource...>"))
    .summary("run finished deployments of a stack again, as after a reboot of their server")
    .action(runAgain);
  aboutOne(deployment, "stop", stop).summary(
    "end the overtaken run that it waits for, or else its own run",
  );
  aboutOne(deployment, "set-result", setResult)
    .summary("set its result in place of the server")
    .option("--status <status>", "COMPLETE or FAILED")
    .option("--abandon-unreachable", "end its DELETE if its server cannot be reached")
    .option("--reason <text>", "the reason of a failure")
    .option("--output <name=value>", "an output; may be repeated", collect)
    .option("--stdout <text>", "its output")
    .option("--stderr <text>", "its output on standard error")
    .option("--code <number>", "its exit code");
};

const list = async (_options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { server, long } = readOptions(ListOptions, command);
  const path = "/software_deployments?with_names=true";
  const answer = await session.client.request("GET", path, DeploymentsAnswer);
  const found = answer.software_deployments.filter(
    ({ server_id, names }) =>
      server === undefined || server === server_id || server === names?.server,
  );
  session.print({ software_deployments: found }, () =>
    deploymentsTable(found, { long, width: terminalWidth() }),
  );
};

const show: DeploymentCommand = async (session, id) => {
  const answer = await session.client.request("GET", deploymentPath(id), DeploymentAnswer);
  session.print(answer, () => deploymentLines(answer.software_deployment));
};

const diagnose: DeploymentCommand = async (session, id) => {
  const path = `${deploymentPath(id)}/diagnosis`;
  const answer = await session.client.request("GET", path, DiagnosisAnswer);
  session.print(answer, () => diagnosisLines(answer.diagnosis, terminalWidth()));
  if (!isHealthy(answer.diagnosis)) process.exitCode = EXIT_FAILED;
};

const logs: DeploymentCommand = async (session, id, command) => {
  const { stderr, follow } = readOptions(LogsOptions, command);
  const stream = stderr ? "deploy_stderr" : "deploy_stdout";
  if (!follow) return printLog(session, id, stream);
  if (session.json) throw badUsage("--follow prints text as it comes: use it without --json.");
  return followLog(session, id, stream);
};

const retry: DeploymentCommand = async (session, id) => {
  const path = `${deploymentPath(id)}/retry`;
  const answer = await session.client.request("POST", path, DeploymentAnswer);
  const { config_id: derived, action } = answer.software_deployment;
  session.print(answer, () => [`${action} of ${id} is delivered again as ${derived}.`]);
};

/** All deployments run in one update, and so in the order of their dependencies. */
const runAgain = async (
  nameOrId: string,
  resources: readonly string[],
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const { client } = session;
  const { wait } = readOptions(WaitOptions, command);
  const stack = await client.findStack(nameOrId);
  const ids: string[] = [];
  for (const resource of resources) ids.push(await findDeploymentId(client, nameOrId, resource));
  const [id = "", ...also] = ids;
  const path = `${deploymentPath(id)}/run_again`;
  const send = () => client.request("POST", path, DeploymentAnswer, { also });
  await operate(session, stack, { verb: "UPDATE", wait }, send);
};

const stop: DeploymentCommand = async (session, id) => {
  const path = `${deploymentPath(id)}/stop`;
  const answer = await session.client.request("POST", path, DeploymentAnswer);
  session.print(answer, () => [
    `The agent of its server is told to end the run. "hearth deployment diagnose ${id}" shows what follows.`,
  ]);
};

const abandon = async (session: Session, id: string): Promise<void> => {
  const path = `${deploymentPath(id)}/abandon`;
  const answer = await session.client.request("POST", path, DeploymentAnswer);
  session.print(answer, () => [`The DELETE of ${id} ends without its server.`]);
};

const setResult: DeploymentCommand = async (session, id, command) => {
  const options = readOptions(ResultOptions, command);
  const { status, reason, stdout, stderr, code, abandonUnreachable } = options;
  if (abandonUnreachable === (status !== undefined)) {
    throw badUsage("Give either --status or --abandon-unreachable.");
  }
  if (abandonUnreachable) return abandon(session, id);
  const body = {
    status,
    ...(reason === undefined ? {} : { status_reason: reason }),
    output_values: readPairs("--output", options.output),
    ...(stdout === undefined ? {} : { deploy_stdout: stdout }),
    ...(stderr === undefined ? {} : { deploy_stderr: stderr }),
    ...(code === undefined ? {} : { deploy_status_code: code }),
  };
  const answer = await session.client.request("PUT", deploymentPath(id), DeploymentAnswer, body);
  const { action } = answer.software_deployment;
  session.print(answer, () => [`The result of ${action} of ${id} is taken as ${status}.`]);
};
