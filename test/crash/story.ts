/**
 * The story of a crash test: create, update with kills until all planned ones are done, check,
 * delete, check.
 */
import { join } from "node:path";
import { z } from "zod";
import { type Client, openClient, stackPath } from "#client/client.ts";
import { Unreachable } from "#client/errors.ts";
import { CreatedAnswer, StackAnswer } from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";
import type { Random } from "#lib/ports/random.ts";
import { type Check, checkEvents, checkNothing, checkVersion, type World } from "./checks.ts";
import type { RestartedHost } from "./host-process.ts";
import {
  countCreations,
  countMessages,
  eventually,
  type ProviderObject,
  pause,
  readObjects,
  readRows,
  STACK_NAME,
} from "./looks.ts";
import { atNextCall, randomMoment } from "./moments.ts";
import type { Tally } from "./tally.ts";
import { RESOURCES, type Target } from "./target.ts";

/** Two rounds of the sweeper for a lost message, and the update's own time. */
const END_MS_MAX = 180_000;
/** Messages with nothing left to do stay in their queue until their delay is over. */
const QUIET_MS_MAX = 60_000;

export interface Scene {
  readonly host: RestartedHost;
  readonly folder: string;
  readonly random: Random;
  readonly target: Target;
  readonly tally: Tally;
}

/** `id` is null before the stack exists. */
interface StackName {
  readonly stack_name: string;
  readonly id: string;
}

export const playStory = async (scene: Scene, kills: number): Promise<void> => {
  const { target, tally } = scene;
  const stack = await createStack(scene);
  let objects = await look(scene, 0, null);
  let version = 0;
  for (let used = 0; used < kills; ) {
    version += 1;
    const body = { template: target.template(version) };
    await (await clientOf(scene)).request("PUT", stackPath(stack), z.unknown(), body);
    const hits = await killDuring(scene, stack, kills - used);
    used += hits;
    const seconds = await waitForEnd(scene, stack, "UPDATE_COMPLETE");
    console.log(`update ${version}: complete ${seconds} s after the last of ${hits} kills`);
    objects = await look(scene, version, objects);
  }
  tally.report([await checkEventsOf(scene, stack, version)]);
  await deleteStack(scene, stack);
};

const clientOf = async ({ host }: Scene): Promise<Client> =>
  openClient({ endpoint: await host.ready(), project: "demo" });

const createStack = async (scene: Scene): Promise<StackName> => {
  const body = { stack_name: STACK_NAME, template: scene.target.template(0) };
  const client = await clientOf(scene);
  const created = await client.request("POST", "/stacks", CreatedAnswer, body);
  const stack = { stack_name: STACK_NAME, id: created.stack.id };
  await waitForEnd(scene, stack, "CREATE_COMPLETE");
  return stack;
};

const deleteStack = async (scene: Scene, stack: StackName): Promise<void> => {
  await (await clientOf(scene)).request("DELETE", stackPath(stack), z.unknown());
  await waitForEnd(scene, stack, "DELETE_COMPLETE");
  scene.tally.report(checkNothing(await quietWorld(scene)));
};

/**
 * Kills the host at random moments until the update has ended or `killsMax` is reached. Returns the
 * number of kills.
 */
const killDuring = async (scene: Scene, stack: StackName, killsMax: number): Promise<number> => {
  const { host, folder, random } = scene;
  for (let kills = 0; kills < killsMax; kills += 1) {
    const { kind, afterMs } = randomMoment(random);
    if (kind === "starting" && kills > 0) {
      await pause(afterMs);
    } else {
      await host.ready();
      await pause(afterMs);
      if ((await statusOf(scene, stack)) !== "UPDATE_IN_PROGRESS") return kills;
      if (kind === "call") await atNextCall(join(folder, "data"), host.kill);
    }
    await host.restart();
  }
  return killsMax;
};

/**
 * A deleted stack that is no longer shown is DELETE_COMPLETE. Requests on a dead kept-alive
 * connection are retried.
 */
const statusOf = (scene: Scene, stack: StackName): Promise<string> =>
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

/** Returns how many seconds it took. */
const waitForEnd = async (scene: Scene, stack: StackName, wanted: string): Promise<string> => {
  const startedAt = performance.now();
  await eventually(wanted, END_MS_MAX, async () => {
    const status = await statusOf(scene, stack);
    if (status.endsWith("_FAILED")) throw new Error(`the stack is ${status}`);
    return status === wanted ? status : null;
  });
  return ((performance.now() - startedAt) / 1_000).toFixed(1);
};

const worldOf = async ({ host, folder }: Scene): Promise<World> => {
  const url = await host.ready();
  return {
    objects: await readObjects(url),
    rows: await readRows(url),
    messages: await countMessages(url),
    creations: countCreations(join(folder, "data")),
  };
};

/** The state when no message is left, or after we gave up waiting. */
const quietWorld = async (scene: Scene): Promise<World> => {
  const giveUpAt = performance.now() + QUIET_MS_MAX;
  return eventually("the queues are empty", 2 * QUIET_MS_MAX, async () => {
    const world = await worldOf(scene);
    return world.messages === 0 || performance.now() > giveUpAt ? world : null;
  });
};

const look = async (
  scene: Scene,
  version: number,
  before: readonly ProviderObject[] | null,
): Promise<readonly ProviderObject[]> => {
  const { target, tally } = scene;
  const world = await quietWorld(scene);
  const creations = RESOURCES + version * target.createdByUpdate;
  tally.report(checkVersion(target.resources(version), creations, before, world));
  return world.objects;
};

const checkEventsOf = async (scene: Scene, stack: StackName, updates: number): Promise<Check> => {
  const client = await clientOf(scene);
  return checkEvents(await client.events(stack, {}), updates);
};
