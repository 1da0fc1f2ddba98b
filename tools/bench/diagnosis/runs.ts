/** Stages 4 to 6 and errors of a run itself. The server has polled before. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Gateway, openGateway } from "#test/agents/gateway.ts";
import { type OwnServer, openOwnServer } from "#test/agents/own-agent.ts";
import {
  config,
  metadataUrl,
  openServer,
  type Rig,
  STORY_MS_MAX,
  until,
} from "#test/agents/rig.ts";
import { deployed, webTemplate, webTemplateOf } from "#test/agents/web-template.ts";
import { create, ends, type StackRef, update } from "#test/aws/lane.ts";
import type { Case, Caused } from "./case.ts";

const MISCONFIGURED = { stage: 4, cause: "agent_misconfigured" } as const;
const NOT_POLLING = { stage: 5, cause: "not_polling" } as const;
const CANNOT_SIGNAL = { stage: 6, cause: "cannot_signal" } as const;
const FINISHED = { stage: null, cause: "finished", certain: true } as const;

/** A script writes this file right before its fault, so the file's time is that of the fault. */
const MARK = 'echo $$ > "$HOME/mark"';
/** Ends when the bench deletes the server's folder. */
const HANG = 'while [ -e "$HOME/mark" ]; do sleep 1; done';

interface Begun {
  readonly stack: StackRef;
  readonly server: OwnServer;
}

const begun = async (rig: Rig, name: string, template: object): Promise<Begun> => {
  const stack = await create(rig, name, template);
  await metadataUrl(rig, stack);
  const server = await openOwnServer(rig, name, []);
  server.start();
  return { stack, server };
};

const markOf = ({ folder }: Pick<OwnServer, "folder">): string => join(folder, "mark");

const marked = async (stack: StackRef, server: OwnServer): Promise<Caused> => {
  const time = () => statSync(markOf(server), { throwIfNoEntry: false })?.mtimeMs;
  await until("the script leaves its mark", () => time() !== undefined);
  return { stack, at: time() ?? Date.now() };
};

const runs = async (rig: Rig, name: string, ...lines: readonly string[]): Promise<Caused> => {
  const { stack, server } = await begun(rig, name, webTemplate(...lines));
  return marked(stack, server);
};

const withoutHook: Case = {
  ...MISCONFIGURED,
  fault: "OpenStack's agents have no hook for the group",
  certain: false,
  summary: /^server web applied it .* it probably has no hook for python$/,
  secondsMax: 75,
  bring: async (rig) => {
    const python = config("print('hello')", { group: "python" });
    const stack = await create(
      rig,
      "no-hook",
      webTemplateOf({ config: python, run: deployed("config") }),
    );
    const url = await metadataUrl(rig, stack);
    const at = Date.now();
    openServer(rig, "no-hook").start(url);
    return { stack, at };
  },
};

const brokenStep: Case = {
  ...MISCONFIGURED,
  fault: "a step of OpenStack's agents fails before the hooks",
  certain: false,
  summary: /^server web fetched it .* still polls .* has not applied it, or cannot report that$/,
  secondsMax: 160,
  bring: async (rig) => {
    const stack = await create(rig, "broken", webTemplate("true"));
    const server = openServer(rig, "broken");
    const step = join(server.folder, "os-refresh-config", "configure.d", "10-broken");
    writeFileSync(step, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    server.start(await metadataUrl(rig, stack));
    await until("it has failed", () => server.log().includes("Command failed"));
    return { stack, at: Date.now() };
  },
};

const ownWithoutHook: Case = {
  ...FINISHED,
  fault: "Hearth's agent has no hook for the group",
  // The agent reports this stage until it has tried to run the deployment.
  before: 4,
  summary: /^CREATE ended FAILED .*no hook for group python/,
  secondsMax: 5,
  bring: async (rig) => {
    const python = config("print('hello')", { group: "python" });
    const template = webTemplateOf({ config: python, run: deployed("config") });
    const { stack } = await begun(rig, "own-no-hook", template);
    return { stack, at: Date.now() };
  },
};

const killedAtRest: Case = {
  ...NOT_POLLING,
  fault: "the agent is killed while it waits, and then a deployment is published",
  certain: false,
  summary: /^server web last polled .* ago and has not fetched this deployment$/,
  secondsMax: 155,
  bring: async (rig) => {
    const { stack, server } = await begun(rig, "killed-at-rest", webTemplate("true"));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    await server.kill();
    await update(rig, stack, webTemplate("echo anew"));
    return { stack, at: Date.now() };
  },
};

const killedInScript: Case = {
  ...NOT_POLLING,
  fault: "the agent is killed in the middle of a script, with the script",
  certain: false,
  summary: /^server web has stopped polling in the middle of the run/,
  // A verdict needs 150 seconds without a report, and one look.
  secondsMax: 152,
  bring: async (rig) => {
    const template = webTemplate(MARK, HANG);
    const { stack, server } = await begun(rig, "killed-in-script", template);
    await marked(stack, server);
    await server.kill();
    process.kill(Number(readFileSync(markOf(server), "utf8")), "SIGKILL");
    return { stack, at: Date.now() };
  },
};

const throughGateway = async (
  rig: Rig,
  name: string,
  obstruct: (gateway: Gateway) => void,
): Promise<Caused> => {
  const stack = await create(rig, name, webTemplate(MARK));
  const url = await metadataUrl(rig, stack);
  const gateway = await openGateway(url);
  obstruct(gateway);
  const server = await openOwnServer(rig, name, []);
  writeFileSync(join(server.root, "etc/hearth-agent.url"), gateway.through(url));
  server.start();
  return marked(stack, server);
};

const firewall: Case = {
  ...CANNOT_SIGNAL,
  fault: "a firewall cuts the signals of Hearth's agent",
  certain: true,
  summary: /^the run on server web has ended, but its agent cannot deliver the result/,
  secondsMax: 60,
  bring: (rig) => throughGateway(rig, "firewall", (gateway) => gateway.signals("closed")),
};

const cutQuery: Case = {
  ...CANNOT_SIGNAL,
  fault: "a proxy cuts the query of the signal's URL",
  certain: true,
  summary: /^a signal for this deployment was refused .* its URL has no complete signature$/,
  secondsMax: 5,
  bring: (rig) => throughGateway(rig, "cut-query", (gateway) => gateway.signals("without_query")),
};

const hangs: Case = {
  fault: "a script prints one line and hangs",
  stage: null,
  cause: "running",
  certain: false,
  summary: /, no output for \d+ min, last line "step one of two"$/,
  secondsMax: 310,
  bring: (rig) => runs(rig, "hangs-in-script", "echo step one of two", MARK, HANG),
};

const fails: Case = {
  ...FINISHED,
  fault: "a script fails",
  summary: /^CREATE ended FAILED .*the end of stderr: .*table is locked/,
  secondsMax: 5,
  bring: (rig) => runs(rig, "fails", "echo the table is locked >&2", MARK, "exit 3"),
};

const withoutInterpreter: Case = {
  ...FINISHED,
  fault: "the interpreter of a script is missing",
  summary: /its interpreter \/usr\/bin\/nosuch is not on this server/,
  secondsMax: 5,
  bring: async (rig) => {
    const text = config("#!/usr/bin/nosuch\n");
    const template = webTemplateOf({ config: text, run: deployed("config") });
    const { stack } = await begun(rig, "no-interpreter", template);
    return { stack, at: Date.now() };
  },
};

export const RUNS: readonly Case[] = [
  withoutHook,
  brokenStep,
  ownWithoutHook,
  killedAtRest,
  killedInScript,
  firewall,
  cutQuery,
  hangs,
  fails,
  withoutInterpreter,
];
