/**
 * A host is killed while it makes the networks and volumes of docs/run-on-aws.md, and while it
 * deletes them. The next host on its folder goes on.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EC2 } from "@aws-sdk/client-ec2";
import { eventually } from "../aws/eventually.ts";
import type { Result } from "../contract/spoilt-operations.ts";
import { runInShell } from "../integration/documents/page-shell.ts";
import type { ServeProcess } from "../integration/host/serve-process.ts";
import { leftOver } from "./made-objects.ts";
import { startHost } from "./page.ts";

const STACK = "killed";
const END_MS_MAX = 150_000;
/** Net, subnet, router, interface, port, address, association, server, volume and attachment. */
const OBJECTS = 8;
/** How many objects there are when the host is killed. */
const MOMENTS = [1, 4, 7] as const;

interface Stage {
  readonly folder: string;
  readonly ec2: EC2;
}

/** Hosts of one folder, one after the other. */
const hostsIn = ({ folder }: Stage) => {
  const data = join(folder, "killed-data");
  mkdirSync(data, { recursive: true });
  let host: ServeProcess | null = null;
  const run = async (command: string): Promise<string> => {
    host ??= await startHost(folder, "--data", data);
    const environment = { HEARTH_ENDPOINT: host.url, HOME: folder };
    const { code, printed } = await runInShell(folder, environment, command);
    return `${code}\n${printed}`;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await host?.stop(signal);
    host = null;
  };
  return { run, end };
};

const killedOnWay = async (
  stage: Stage,
  { run, end }: ReturnType<typeof hostsIn>,
  command: string,
  isEnd: (shown: string) => boolean,
  moments: readonly ((count: number) => boolean)[],
): Promise<void> => {
  await run(command);
  for (const isReached of moments) {
    await eventually("the host has come so far", END_MS_MAX, async () =>
      isReached((await leftOver(stage.ec2)).length) ? true : null,
    );
    await end("SIGKILL");
    await run("true");
  }
  await eventually("the stack is at its end", END_MS_MAX, async () =>
    isEnd(await run(`hearth stack show ${STACK}`)) ? true : null,
  );
};

export const playKills = async (stage: Stage): Promise<readonly Result[]> => {
  const hosts = hostsIn(stage);
  const create = `hearth stack create --no-wait -t site.yaml ${STACK} > log`;
  const upwards = MOMENTS.map((moment) => (count: number) => count >= moment);
  await killedOnWay(stage, hosts, create, (shown) => !shown.includes("IN_PROGRESS"), upwards);
  const shown = await hosts.run(`hearth stack show ${STACK}`);
  const made = await leftOver(stage.ec2);
  const remove = `hearth stack delete --yes --no-wait ${STACK} > log`;
  const downwards = MOMENTS.toReversed().map((moment) => (count: number) => count < moment);
  const isGone = (text: string): boolean => !text.startsWith("0");
  await killedOnWay(stage, hosts, remove, isGone, downwards);
  await hosts.end("SIGTERM");
  const isMade = shown.includes("CREATE_COMPLETE") && made.length === OBJECTS;
  const left = await leftOver(stage.ec2);
  const times = MOMENTS.length;
  return [
    {
      name: `a host is killed ${times} times while it makes a stack`,
      wrong: isMade ? [] : [shown, ...made],
    },
    { name: `a host is killed ${times} times while it deletes a stack`, wrong: left },
  ];
};
