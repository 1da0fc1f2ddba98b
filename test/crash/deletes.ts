/**
 * Deletes that interrupt waiting operations (P25), with kills. The operations would take 400
 * seconds; the stack must be gone long before.
 */

import { Unreachable } from "#client/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { checkVersion, type World } from "./checks.ts";
import { eventually, type Row } from "./looks.ts";
import { inTheMiddle } from "./moments.ts";
import {
  askToDelete,
  beginStack,
  checkGone,
  createStack,
  dataFolderOf,
  deleteStack,
  killDuring,
  quietWorld,
  type Scene,
  type StackName,
  statusOf,
  updateStack,
  waitForEnd,
  worldOf,
} from "./scene.ts";
import type { WantedResource } from "./whole-target.ts";

const LONG_SECS = 400;
const LONG_ONES = 6;
const QUICK_ONES = 3;
/** Slow enough that the host can be killed again during the delete. */
const QUICK_DELETE_SECS = 2;
const KILLS_OF_ONE_DELETE_MAX = 3;
const BEGUN_MS_MAX = 60_000;

const quickNames = Array.from({ length: QUICK_ONES }, (_, at) => `quick_${at}`);
const longNames = Array.from({ length: LONG_ONES }, (_, at) => `long_${at}`);

const quickOnes = (): JsonObject =>
  Object.fromEntries(
    quickNames.map((name, at) => [
      name,
      {
        type: "OS::Heat::TestResource",
        properties: { value: name, action_wait_secs: { delete: QUICK_DELETE_SECS } },
        ...(at === 0 ? {} : { depends_on: [`quick_${at - 1}`] }),
      },
    ]),
  );

/** The long resources refer to the quick ones, so they are deleted first. */
const longOnes = (value: string, waits: JsonObject): JsonObject =>
  Object.fromEntries(
    longNames.map((name, at) => [
      name,
      {
        type: "OS::Heat::TestResource",
        properties: {
          value,
          client_name: { get_resource: `quick_${at % QUICK_ONES}` },
          action_wait_secs: waits,
        },
      },
    ]),
  );

const template = (resources: JsonObject): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: { ...quickOnes(), ...resources },
});
const CREATES_LONG = template(longOnes("1", { create: LONG_SECS }));
const CREATES_AT_ONCE = template(longOnes("1", {}));
const UPDATES_LONG = template(longOnes("2", { update: LONG_SECS }));
const WITHOUT_LONG = template({});

const ROUNDS: readonly ((scene: Scene, killsMax: number) => Promise<number>)[] = [
  async (scene, killsMax) => {
    const stack = await beginStack(scene, CREATES_LONG);
    await untilAllWait(scene, "CREATE");
    return deleteWithKills(scene, stack, killsMax, "six creations");
  },
  async (scene, killsMax) => {
    const stack = await createStack(scene, CREATES_AT_ONCE);
    await updateStack(scene, stack, UPDATES_LONG);
    await untilAllWait(scene, "UPDATE");
    return deleteWithKills(scene, stack, killsMax, "six updates");
  },
  async (scene, killsMax) => {
    const stack = await beginStack(scene, CREATES_LONG);
    const { creations } = await untilAllWait(scene, "CREATE");
    const remove = () => updateStack(scene, stack, WITHOUT_LONG);
    const kills = await killFirst(scene, stack, "CREATE_IN_PROGRESS", remove);
    const more = await killDuring(scene, stack, "UPDATE_IN_PROGRESS", killsMax - kills);
    const seconds = await waitForEnd(scene, stack, "UPDATE_COMPLETE");
    report("the removal of six creations", seconds, kills + more);
    const world = await quietWorld(scene);
    scene.tally.report(checkVersion(QUICK_WANTED, creations, null, world));
    await deleteStack(scene, stack);
    return kills + more;
  },
];

const QUICK_WANTED: readonly WantedResource[] = quickNames.map((name) => ({
  name,
  fate: "same",
  value: name,
  client: null,
  entityName: null,
}));

export const playDeletes = async (scene: Scene, kills: number): Promise<void> => {
  let round = 0;
  for (let used = 0; used < kills; round += 1) {
    const play = ROUNDS[round % ROUNDS.length];
    if (play === undefined) return;
    const pollsLeft = (round + 1) * LONG_ONES;
    used += await play({ ...scene, pollsLeft }, Math.min(kills - used, KILLS_OF_ONE_DELETE_MAX));
  }
};

const report = (what: string, seconds: string, kills: number): void =>
  console.log(`delete of ${what}: gone ${seconds} s after the last of ${kills} kills`);

const isLong = ({ name }: Row): boolean => name.startsWith("long_");

/** No worker holds them: each has an object and waits for its provider. */
const untilAllWait = (scene: Scene, action: string): Promise<World> =>
  eventually(`six operations ${action} that wait`, BEGUN_MS_MAX, async () => {
    const world = await worldOf(scene);
    const waiting = world.rows.rows.filter(
      (row) =>
        isLong(row) &&
        row.action === action &&
        row.status === "IN_PROGRESS" &&
        row.physical_id !== null &&
        row.locked_by === null,
    );
    return waiting.length === LONG_ONES ? world : null;
  });

const deleteWithKills = async (
  scene: Scene,
  stack: StackName,
  killsMax: number,
  what: string,
): Promise<number> => {
  const status = await statusOf(scene, stack);
  const kills = await killFirst(scene, stack, status, () => askToDelete(scene, stack));
  const more = await killDuring(scene, stack, "DELETE_IN_PROGRESS", killsMax - kills);
  report(what, await checkGone(scene, stack), kills + more);
  return kills + more;
};

/**
 * Kills the host while it begins what `ask` requests. If the kill came before the request was
 * accepted, `ask` is repeated.
 */
const killFirst = async (
  scene: Scene,
  stack: StackName,
  status: string,
  ask: () => Promise<void>,
): Promise<number> => {
  const { host, random } = scene;
  const struck = inTheMiddle(dataFolderOf(scene), random, host.kill);
  await ask().catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error;
  });
  await struck;
  await host.restart();
  if ((await statusOf(scene, stack)) === status) await ask();
  return 1;
};
