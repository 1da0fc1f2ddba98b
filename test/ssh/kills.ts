/**
 * The host, or the machine's sshd with all that runs under it, is killed during a creation and a
 * delete. The operation must end, and nothing may be left.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Result } from "../contract/spoilt-operations.ts";
import { type Ended, runInShell } from "../integration/documents/page-shell.ts";
import { type ServeProcess, startServe } from "../integration/host/serve-process.ts";
import type { Killed } from "../kills/kills.ts";
import type { Machine } from "./machine.ts";
import { whatIsLeft } from "./provider-play.ts";

/** An agent is at work a second or two after the first request. */
export const KILLS_MS = [150, 500, 1_000, 2_000] as const;
const VICTIMS = ["host", "sshd"] as const;
type Victim = (typeof VICTIMS)[number];
const KILLS_A_STORY = 2;
const WAIT_MS_MAX = 120_000;
const PAUSE_MS = 200;

export interface Story {
  readonly machine: Machine;
  readonly folder: string;
  readonly port: number;
}

export const start = ({ folder, port }: Story): Promise<ServeProcess> => {
  const [data, keys] = [join(folder, "data"), join(folder, "keys.yaml")];
  return startServe("--data", data, "--port", String(port), "--ssh", keys);
};

export const shell = ({ folder, port }: Story, command: string): Promise<Ended> =>
  runInShell(folder, { HEARTH_ENDPOINT: `http://127.0.0.1:${port}`, HOME: folder }, command);

const Answer = z.object({
  stacks: z.array(z.object({ stack_status: z.string(), stack_status_reason: z.string() })),
});

export const statusAtEnd = async ({ url }: ServeProcess): Promise<string> => {
  const end = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const answer = await fetch(`${url}/v1/demo/stacks`);
    const [stack] = Answer.parse(await answer.json()).stacks;
    if (stack === undefined) return "";
    const { stack_status: status, stack_status_reason: reason } = stack;
    if (!status.endsWith("IN_PROGRESS") || Date.now() > end) return `${status}: ${reason}`;
    await pause(PAUSE_MS);
  }
};

const SSHD = "machine-sshd.service";

const kill = async (story: Story, host: ServeProcess, victim: Victim): Promise<ServeProcess> => {
  if (victim === "host") {
    await host.stop("SIGKILL");
    return start(story);
  }
  story.machine.run(`systemctl kill --signal=KILL ${SSHD}; systemctl restart ${SSHD}`);
  return host;
};

interface Plan {
  readonly victim: Victim;
  readonly killMs: number;
}

const killDuring = async (
  story: Story,
  host: ServeProcess,
  command: string,
  { victim, killMs }: Plan,
): Promise<{ readonly host: ServeProcess; readonly status: string }> => {
  await shell(story, `${command} --no-wait`);
  await pause(killMs);
  const next = await kill(story, host, victim);
  return { host: next, status: await statusAtEnd(next) };
};

const playOne = async (story: Story, plan: Plan): Promise<Result> => {
  const { machine, folder } = story;
  const before = machine.files();
  const wrong: string[] = [];
  const create = "hearth stack create -t site.yaml -e machine.yaml site";
  const made = await killDuring(story, await start(story), create, plan);
  if (!made.status.startsWith("CREATE_COMPLETE")) wrong.push(made.status);
  const motd = machine.run("cat /etc/motd");
  if (motd !== "Welcome") wrong.push(`the file has ${motd}`);
  const gone = await killDuring(story, made.host, "hearth stack delete --yes site", plan);
  if (gone.status !== "") wrong.push(gone.status);
  await gone.host.stop("SIGTERM");
  rmSync(join(folder, "data"), { recursive: true, force: true });
  return {
    name: `the ${plan.victim} is killed after ${plan.killMs} ms of a creation and of a delete`,
    wrong: [...wrong, ...whatIsLeft(machine, before)],
  };
};

export const playKills = async (
  machine: Machine,
  folder: string,
  port: number,
  momentsMs: readonly number[],
): Promise<Killed> => {
  const story = { machine, folder, port };
  const results: Result[] = [];
  for (const victim of VICTIMS) {
    for (const killMs of momentsMs) results.push(await playOne(story, { victim, killMs }));
  }
  return { results, faults: results.length * KILLS_A_STORY };
};
