/**
 * Creates the example of an own server, shows it and deletes it. The host, which keeps nothing, and
 * the machine's agent run in this process, so nothing can be left running.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import { openClient, stackPath } from "#client/client.ts";
import { pause } from "#client/pause.ts";
import { CreatedAnswer, type WireStack } from "#client/wire.ts";
import { startHost } from "#host/host.ts";
import { runAgent } from "../../agent/polling.ts";
import { CommandFailed, EXIT_INTERRUPTED } from "../failure.ts";
import { PACKAGED_FILES, packagedFile } from "../packaged-files.ts";
import { metadataUrlOf } from "../server/server.ts";
import { printer, type Session } from "../session.ts";
import { followOperation, operate } from "../stack/follow.ts";
import { collectFiles } from "../template/files.ts";

const PROJECT = "demo";
const STACK = "greeter";
const SERVER = "machine";

/** A server of this type is ready within milliseconds. The polls end after half a minute. */
const SERVER_POLLS_MAX = 300;
const SERVER_POLL_MS = 100;
const AGENT_PACE = { intervalMs: 200, intervalMsMax: 200, retryMs: 200, heartbeatMs: 60_000 };

const NEXT = `
That was all, and nothing of it is left. To go on:

  hearth serve --data ./hearth-data    a host that keeps its stacks
  hearth stack create NAME -t FILE     your own stack, from a second terminal
  hearth --help                        everything else`;

const STOPPED = "The demo was stopped. Its host, its stack and its files are gone.";

export const showFirstStack = async (json: boolean): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-demo-"));
  const say = (text: string): void => {
    if (!json) process.stdout.write(`${text}\n`);
  };
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
  };
  process.once("SIGINT", interrupt);
  try {
    const host = await startHost({ port: 0, data: null });
    const client = openClient({ endpoint: host.url, project: PROJECT });
    say(`A host on ${host.url} makes the stack ${STACK} of ${EXAMPLE}:\n`);
    try {
      const print = printer(json);
      const session = { client, json, waitMsMax: null, print, printNamed: print };
      await createAndDelete(session, folder, say);
      if (isInterrupted) throw new CommandFailed(STOPPED, EXIT_INTERRUPTED);
    } finally {
      await host.stop();
    }
    say(NEXT);
  } catch (error) {
    throw isInterrupted ? new CommandFailed(STOPPED, EXIT_INTERRUPTED) : error;
  } finally {
    process.off("SIGINT", interrupt);
    rmSync(folder, { recursive: true, force: true });
  }
};

const createAndDelete = async (
  session: Session,
  folder: string,
  say: (text: string) => void,
): Promise<void> => {
  const { client } = session;
  const body = { stack_name: STACK, ...collectFiles(writeExample(folder), []) };
  const created = await client.request("POST", "/stacks", CreatedAnswer, body);
  const stack = await client.findStack(created.stack.id);
  const stopper = new AbortController();
  const agent = serveMachine(session, stack, join(folder, SERVER), stopper.signal);
  const creation = { stack, verb: "CREATE", marker: null, goodEnds: ["CREATE_COMPLETE"] } as const;
  try {
    // If the agent cannot start, its error ends the demo. Otherwise it runs until it is stopped.
    await Promise.race([followOperation(session, creation), agent.then(() => undefined)]);
    say("\nThe script on the server wrote this output. The delete runs one there too:\n");
    await operate(
      { ...session, print: () => undefined },
      stack,
      { verb: "DELETE", wait: true },
      () => client.request("DELETE", stackPath(stack), z.unknown()),
    );
  } finally {
    stopper.abort();
    await agent;
  }
};

const serveMachine = async (
  session: Session,
  stack: WireStack,
  root: string,
  stop: AbortSignal,
): Promise<void> => {
  for (let polls = 0; !stop.aborted; polls += 1) {
    if (polls === SERVER_POLLS_MAX) throw new CommandFailed(`${SERVER} was not made.`);
    const rows = await session.client.resources(stack);
    const server = rows.find(({ resource_name }) => resource_name === SERVER);
    if (server?.resource_status === "CREATE_COMPLETE") break;
    await pause(SERVER_POLL_MS, stop);
  }
  const metadataUrl = await metadataUrlOf(session, stack, SERVER);
  const place = { root, hooks: null, environment: process.env };
  await runAgent({ metadataUrl, ...AGENT_PACE, ...place, log: () => undefined }, stop);
};

export const EXAMPLE = "examples/own-server";

export const writeExample = (folder: string): string => {
  for (const path of PACKAGED_FILES.filter((file) => file.startsWith(EXAMPLE))) {
    const copy = join(folder, path);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, packagedFile(path));
  }
  return join(folder, EXAMPLE, "server.yaml");
};
