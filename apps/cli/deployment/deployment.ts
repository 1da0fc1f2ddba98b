import type { Command } from "commander";
import { z } from "zod";
import {
  type Deployment,
  DeploymentAnswer,
  DeploymentsAnswer,
  DiagnosisAnswer,
  deploymentPath,
  findDeploymentId,
  type ShownDiagnosis,
} from "#client/deployments.ts";
import type { WireStack } from "#client/wire.ts";
import { type Declaration, declare, NO_OPTIONS, onHost } from "../declaration.ts";
import { badUsage, CommandFailed, EXIT_FAILED } from "../failure.ts";
import { flag, option, readPairs, WaitOptions } from "../options.ts";
import {
  fieldLines,
  oneLine,
  SECTION_INDENT,
  section,
  tableLines,
  terminalWidth,
  valueLine,
  wrapTo,
} from "../print.ts";
import { knowsServer } from "../server/server.ts";
import type { Session } from "../session.ts";
import { operate } from "../stack/follow.ts";
import { followLog, printLog } from "./logs.ts";

export const addDeploymentCommands = (program: Command): void =>
  declare(
    program.command("deployment"),
    list,
    show,
    diagnose,
    logs,
    retry,
    runAgain,
    stop,
    setResult,
  );

interface AboutOne<Shape extends z.ZodObject> extends Pick<Declaration, "summary" | "examples"> {
  readonly name: string;
  readonly shape: Shape;
  readonly run: (session: Session, id: string, options: z.infer<Shape>) => Promise<void>;
}

/** The deployment is named by its id, or by its stack and its resource. */
const aboutOne = <Shape extends z.ZodObject>(about: AboutOne<Shape>): Declaration => ({
  ...about,
  usage: `${about.name} <deployment> [resource]`,
  words: (command) => command.usage("[options] <id> | <stack> <resource>"),
  action: onHost(about.shape, async (session, options, place: string, resource?: string) =>
    about.run(session, await findDeploymentId(session.client, place, resource), options),
  ),
});

const ListOptions = z.object({
  server: option(
    "--server <server>",
    "only those on this server, by its name in the list or its id",
    z.string().optional(),
  ),
  long: flag("--long", "with ids"),
});

const list: Declaration = {
  usage: "list [stack]",
  summary: "the deployments of the project or of one stack, oldest first",
  examples: ["deployment list web", "deployment list --server web/0"],
  action: onHost(ListOptions, async (session, { server, long }, stackName?: string) => {
    const stack = stackName === undefined ? null : await session.client.findStack(stackName);
    const path = "/software_deployments?with_names=true";
    const answer = await session.client.request("GET", path, DeploymentsAnswer);
    const all = answer.software_deployments.filter(
      ({ names }) => stack === null || names?.stack === stack.stack_name,
    );
    const found = all.filter(
      ({ server_id, names }) => server === undefined || [server_id, names?.server].includes(server),
    );
    if (server !== undefined && found.length === 0) await refuseUnknown(session, server, stack);
    session.print({ software_deployments: found }, () =>
      deploymentsTable(found, { long, width: terminalWidth() }),
    );
  }),
};

/** A server may have no deployment, which is no error. */
const refuseUnknown = async (
  session: Session,
  server: string,
  stack: WireStack | null,
): Promise<void> => {
  if (await knowsServer(session, server, stack)) return;
  const place = stack === null ? "The project" : `The stack ${stack.stack_name}`;
  throw new CommandFailed(
    `${place} has no server ${server}. "hearth server list" shows those of the project.`,
  );
};

const show = aboutOne({
  name: "show",
  summary: "a deployment with its inputs and outputs",
  shape: NO_OPTIONS,
  run: async (session, id) => {
    const answer = await session.client.request("GET", deploymentPath(id), DeploymentAnswer);
    session.print(answer, () => deploymentLines(answer.software_deployment));
  },
});

const diagnose = aboutOne({
  name: "diagnose",
  summary: "say where it hangs and why; exits with 1 if something is wrong",
  shape: NO_OPTIONS,
  run: async (session, id) => {
    const path = `${deploymentPath(id)}/diagnosis`;
    const answer = await session.client.request("GET", path, DiagnosisAnswer);
    session.print(answer, () => diagnosisLines(answer.diagnosis, terminalWidth()));
    if (!isHealthy(answer.diagnosis)) process.exitCode = EXIT_FAILED;
  },
});

const LogsOptions = z.object({
  stderr: flag("--stderr", "standard error instead of standard output"),
  follow: flag("-f, --follow", "go on until it ends"),
});

const logs = aboutOne({
  name: "logs",
  summary: "its output: the end while it runs, then all of it",
  examples: ["deployment logs web install --follow", "deployment logs web group/0 --stderr"],
  shape: LogsOptions,
  run: async (session, id, { stderr, follow }) => {
    const stream = stderr ? "deploy_stderr" : "deploy_stdout";
    if (!follow) return printLog(session, id, stream);
    if (session.json) throw badUsage("--follow prints text as it comes: use it without --json.");
    return followLog(session, id, stream);
  },
});

const ask = ({ client }: Session, id: string, verb: "retry" | "stop" | "abandon") =>
  client.request("POST", `${deploymentPath(id)}/${verb}`, DeploymentAnswer);

const retry = aboutOne({
  name: "retry",
  summary: "deliver the running action again: the server repeats it",
  shape: NO_OPTIONS,
  run: async (session, id) => {
    const answer = await ask(session, id, "retry");
    const { config_id: derived, action } = answer.software_deployment;
    session.print(answer, () => [`${action} of ${id} is delivered again as ${derived}.`]);
  },
});

/** All deployments run in one update, and so in the order of their dependencies. */
const runAgain: Declaration = {
  usage: "run-again <stack> <resource...>",
  summary: "run finished deployments of a stack again, as after a reboot of their server",
  action: onHost(
    WaitOptions,
    async (session, { wait }, nameOrId: string, resources: readonly string[]) => {
      const { client } = session;
      const stack = await client.findStack(nameOrId);
      const ids: string[] = [];
      for (const one of resources) ids.push(await findDeploymentId(client, nameOrId, one));
      const [id = "", ...also] = ids;
      const path = `${deploymentPath(id)}/run_again`;
      const send = () => client.request("POST", path, DeploymentAnswer, { also });
      await operate(session, stack, { verb: "UPDATE", wait }, send);
    },
  ),
};

const stop = aboutOne({
  name: "stop",
  summary: "end the overtaken run that it waits for, or else its own run",
  shape: NO_OPTIONS,
  run: async (session, id) => {
    const answer = await ask(session, id, "stop");
    session.print(answer, () => [
      `The agent of its server is told to end the run. "hearth deployment diagnose ${id}" shows what follows.`,
    ]);
  },
});

const ResultOptions = z.object({
  status: option("--status <status>", "the result", z.enum(["COMPLETE", "FAILED"]).optional()),
  abandonUnreachable: flag(
    "--abandon-unreachable",
    "end its DELETE if its server cannot be reached",
  ),
  reason: option("--reason <text>", "the reason of a failure", z.string().optional()),
  output: option(
    "--output <name=value>",
    "an output; may be repeated",
    z.array(z.string()).default([]),
  ),
  stdout: option("--stdout <text>", "its output", z.string().optional()),
  stderr: option("--stderr <text>", "its output on standard error", z.string().optional()),
  code: option(
    "--code <number>",
    "its exit code",
    z.coerce.number("--code is a number").int("--code is a whole number").optional(),
  ),
});

const setResult = aboutOne({
  name: "set-result",
  summary: "set its result in place of the server",
  shape: ResultOptions,
  run: async (session, id, { status, abandonUnreachable, ...given }) => {
    if (abandonUnreachable === (status !== undefined)) {
      throw badUsage("Give either --status or --abandon-unreachable.");
    }
    if (abandonUnreachable) {
      const answer = await ask(session, id, "abandon");
      return session.print(answer, () => [`The DELETE of ${id} ends without its server.`]);
    }
    const body = {
      status,
      status_reason: given.reason,
      output_values: readPairs("--output", given.output),
      deploy_stdout: given.stdout,
      deploy_stderr: given.stderr,
      deploy_status_code: given.code,
    };
    const answer = await session.client.request("PUT", deploymentPath(id), DeploymentAnswer, body);
    const { action } = answer.software_deployment;
    session.print(answer, () => [`The result of ${action} of ${id} is taken as ${status}.`]);
  },
});

const IDS = ["ID", "SERVER ID", "CONFIG ID"];

export const deploymentsTable = (
  deployments: readonly Deployment[],
  { long, width }: { readonly long: boolean; readonly width: number },
): string[] => {
  const withIds = long || deployments.some(({ names }) => !names);
  return tableLines(
    ["STACK", "DEPLOYMENT", "SERVER", "CONFIG", "STATUS", ...(withIds ? IDS : []), "REASON"],
    deployments.map((one) => [
      one.names?.stack,
      one.names?.resource,
      one.names?.server,
      one.names?.config,
      `${one.action}_${one.status}`,
      ...(withIds ? [one.id, one.server_id, one.config_id] : []),
      one.status_reason,
    ]),
    width,
  );
};

export const deploymentLines = (deployment: Deployment): string[] => [
  ...fieldLines([
    ["id", deployment.id],
    ["server", deployment.server_id],
    ["config", deployment.config_id],
    ["action", deployment.action],
    ["status", deployment.status],
    ["reason", deployment.status_reason],
    ["created", deployment.creation_time],
    ["updated", deployment.updated_time],
  ]),
  ...section("inputs", Object.entries(deployment.input_values ?? {}).map(valueLine)),
  ...section("outputs", Object.entries(deployment.output_values ?? {}).map(valueLine)),
];

/** Every deployment delivery passes through these states, unless it ends early. */
const STEPS = ["PUBLISHED", "FETCHED", "APPLIED", "RUNNING"] as const;

const stepLines = ({ history, status }: ShownDiagnosis): string[] => {
  const reached = new Set(history.map(({ state }) => state));
  const last = STEPS.findLastIndex((step) => reached.has(step));
  const ahead = status === "IN_PROGRESS" ? STEPS.slice(last + 1) : [];
  return [
    ...history.map(({ state, time }) => `${state.padEnd(10)} ${time}`),
    ...ahead.map((step) => `${step.padEnd(10)} not yet`),
  ];
};

const evidenceLines = ({ evidence }: ShownDiagnosis): string[] =>
  evidence.map(({ kind, about, count, first_seen, last_seen }) => {
    const times = first_seen === last_seen ? last_seen : `${first_seen} to ${last_seen}`;
    return `${kind} (${about}), ${count} times: ${times}`;
  });

const serverLines = ({ server }: ShownDiagnosis): string[] =>
  fieldLines([
    ["status", server?.status],
    ["fault", server?.fault],
    ["addresses", server?.addresses?.join(", ")],
    ["booted", server?.boot?.map(({ step, time }) => `${step} ${time}`).join(", ")],
    ["first poll", server?.first_poll],
    ["last poll", server?.last_poll],
    ["polls from", server?.address],
    ["agent", server?.agent],
    ["document", server?.document_version],
    ["was served", server?.served_version],
    ["has applied", server?.applied_version],
  ]);

export const isHealthy = ({ status, verdict }: ShownDiagnosis): boolean =>
  verdict.stage === null && status !== "FAILED";

export const diagnosisLines = (diagnosis: ShownDiagnosis, width: number): string[] => {
  const wrapped = (text: string): string[] => wrapTo(oneLine(text), width - SECTION_INDENT);
  const { verdict, waiting_behind: behind } = diagnosis;
  const { certain, summary, advice, stage, cause } = verdict;
  return [
    ...wrapTo(`${certain ? "" : "Probably: "}${oneLine(summary)}`, width),
    ...fieldLines([
      ["deployment", `${diagnosis.resource_name ?? ""} ${diagnosis.deployment_id}`],
      ["server name", `${diagnosis.server_name ?? ""} ${diagnosis.server_id ?? ""}`],
      ["action", diagnosis.action],
      ["status", `${diagnosis.status} ${diagnosis.status_reason ?? ""}`],
      ["cause", stage === null ? cause : `${cause} (place ${stage} of 6)`],
      ["behind", behind && `${behind.resource_name ?? behind.deployment_id} since ${behind.since}`],
    ]),
    ...section("steps", stepLines(diagnosis)),
    ...section("advice", advice.flatMap(wrapped)),
    ...section("warnings", diagnosis.warnings.flatMap(wrapped)),
    ...section("evidence", evidenceLines(diagnosis)),
    ...section("server", serverLines(diagnosis)),
  ];
};
