import { join } from "node:path";
import { z } from "zod";
import { type Client, openClient, stackPath } from "#client/client.ts";
import { Unreachable } from "#client/errors.ts";
import { CreatedAnswer, StackAnswer } from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import { checkNothing, type World } from "./checks.ts";
import type { RestartedHost } from "./host-process.ts";
import {
  countCreations,
  countMessages,
  eventually,
  pause,
  readObjects,
  readRows,
  STACK_NAME,
} from "./looks.ts";
import { atNextCall, randomMoment } from "./moments.ts";
import type { Tally } from "./tally.ts";

/** Two rounds of the sweeper for a lost message, and the request's own time. */
const END_MS_MAX = 180_000;
/** Messages with nothing left to do stay in their queue until their delay is over. */
const QUIET_MS_MAX = 60_000;

export interface Scene {
  readonly host: RestartedHost;
  readonly folder: string;
  readonly random: Random;
  readonly tally: Tally;
  readonly pollsLeft?: number;
}

export interface StackName {
  readonly stack_name: string;
  readonly id: string;
}

export const dataFolderOf = ({ folder }: Scene): string => join(folder, "data");

export const clientOf = async ({ host }: Scene): Promise<Client> =>
  openClient({ endpoint: await host.ready(), project: "demo" });

export const beginStack = async (scene: Scene, template: JsonObject): Promise<StackName> => {
  const body = { stack_name: STACK_NAME, template };
  const client = await clientOf(scene);
  const created = await client.request("POST", "/stacks", CreatedAnswer, body);
  return { stack_name: STACK_NAME, id: created.stack.id };
};

export const createStack = async (scene: Scene, template: JsonObject): Promise<StackName> => {
  const stack = await beginStack(scene, template);
  await waitForEnd(scene, stack, "CREATE_COMPLETE");
  return stack;
};

export const updateStack = async (
  scene: Scene,
  stack: StackName,
  template: JsonObject,
): Promise<void> => {
  await (await clientOf(scene)).request("PUT", stackPath(stack), z.unknown(), { template });
};

export const askToDelete = async (scene: Scene, stack: StackName): Promise<void> => {
  await (await clientOf(scene)).request("DELETE", stackPath(stack), z.unknown());
};

export const deleteStack = async (scene: Scene, stack: StackName): Promise<void> => {
  await askToDelete(scene, stack);
  await checkGone(scene, stack);
};

export const checkGone = async (scene: Scene, stack: StackName): Promise<string> => {
  const seconds = await waitForEnd(scene, stack, "DELETE_COMPLETE");
  scene.tally.report(checkNothing(await quietWorld(scene)));
  return seconds;
};

export const killDuring = async (
  scene: Scene,
  stack: StackName,
  status: string,
  killsMax: number,
): Promise<number> => {
  const { host, random } = scene;
  for (let kills = 0; kills < killsMax; kills += 1) {
    const { kind, afterMs } = randomMoment(random);
    if (kind === "starting" && kills > 0) {
      await pause(afterMs);
    } else {
      await host.ready();
      await pause(afterMs);
      if ((await statusOf(scene, stack)) !== status) return kills;
      if (kind === "call") await atNextCall(dataFolderOf(scene), host.kill);
    }
    await host.restart();
  }
  return killsMax;
};

/**
 * A deleted stack that is no longer found counts as DELETE_COMPLETE. Requests on a dead kept-alive
 * connection are retried.
 */
export const statusOf = (scene: Scene, stack: StackName): Promise<string> =>
  eventually("the host answers", QUIET_MS_MAX, async () => {
    const client = await clientOf(scene);
    try {
      const path = `${stackPath(stack)}?resolve_outputs=false`;
      return (await client.request("GET", path, StackAnswer)).stack.stack_status;
    } catch (error) {
      if (error instanceof Unreachable) return null;
      if (error instanceof RequestError && error.status === 404) return "DELETE_COMPLETE";
      throw error;
    }
  });

export const waitForEnd = async (
  scene: Scene,
  stack: StackName,
  wanted: string,
): Promise<string> => {
  const startedAt = performance.now();
  await eventually(wanted, END_MS_MAX, async () => {
    const status = await statusOf(scene, stack);
    if (status.endsWith("_FAILED")) throw new Error(`the stack is ${status}`);
    return status === wanted ? status : null;
  });
  return ((performance.now() - startedAt) / 1_000).toFixed(1);
};

export const worldOf = async (scene: Scene): Promise<World> => {
  const url = await scene.host.ready();
  return {
    objects: await readObjects(url),
    rows: await readRows(url),
    messages: await countMessages(url, scene.pollsLeft ?? 0),
    creations: countCreations(dataFolderOf(scene)),
  };
};

export const quietWorld = async (scene: Scene): Promise<World> => {
  const giveUpAt = performance.now() + QUIET_MS_MAX;
  return eventually("the queues are empty", 2 * QUIET_MS_MAX, async () => {
    const world = await worldOf(scene);
    return world.messages === 0 || performance.now() > giveUpAt ? world : null;
  });
};
