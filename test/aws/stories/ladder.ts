/**
 * A ladder: layers of two nodes, each of which waits for both nodes of the layer before. A counting
 * error would double the work at every layer.
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { present } from "#lib/errors.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  hot,
  type Lane,
  REPAIR_MS_MAX,
  remove,
  type Story,
  testResource,
} from "../lane.ts";

const SIDES = ["left", "right"] as const;

export const ladder = (
  layers: number,
  seconds: Readonly<Record<(typeof SIDES)[number], number>>,
): object =>
  hot(
    Object.fromEntries(
      Array.from({ length: layers }, (_, layer) =>
        SIDES.map((side) => [
          `${side}${layer}`,
          testResource(
            { value: "one", wait_secs: seconds[side] },
            layer === 0 ? {} : { depends_on: SIDES.map((below) => `${below}${layer - 1}`) },
          ),
        ]),
      ).flat(),
    ),
  );

const LAYERS = 20;
const RESOURCES = 2 * LAYERS;
const NAME = "disturbed";
/** The ladder has its own project, because a stack's id is known only after its first message. */
const LADDER_PROJECT = "ladder";
/** By then the ladder is in progress, with most of it ahead. */
const LOSES_AFTER = 8;
const KILLS_AT = [6, 25];
/** Each of the two kills and the lost message may need a repair. */
const END_MS_MAX = (KILLS_AT.length + 1) * REPAIR_MS_MAX;
/**
 * A delivery visits its node and continues inline with one that became ready. It sends the other.
 */
const VISITS_PER_DELIVERY_MAX = 2;
const LOG_MS_MAX = 30_000;

/** Counts visits that were handled or retried, by their log lines. A killed worker logs none. */
const deliveriesOf = async ({ account }: Lane, stackId: string): Promise<number> => {
  const lines = await account.logLines("CheckResource");
  return lines.filter((line) => line.stackId === stackId && line.outcome !== undefined).length;
};

const everyObject = async (
  { account }: Lane,
  wanted: { readonly calls: number; readonly isGone: boolean },
): Promise<void> => {
  const objects = await account.objectsMade(NAME);
  equal(objects.length, RESOURCES, "objects that were ever made");
  equal(new Set(objects.map(({ logicalName }) => logicalName)).size, RESOURCES);
  const { calls, isGone } = wanted;
  deepEqual(
    objects.filter((object) => object.calls !== calls || object.isGone !== isGone),
    [],
    `objects with other than ${calls} calls`,
  );
};

export const ladderStory: Story = {
  name: `a ladder of ${LAYERS} layers of two is built once, although every message comes twice, one is lost and workers die during visits`,
  needs: ["wire", "workers"],
  play: async (own) => {
    const { client } = await own.openProject(LADDER_PROJECT);
    const lane = { ...own, client };
    const kill = present(lane.killWorkers, "a way to kill workers");
    let killed = 0;
    const read = present(lane.wire, "the wire").disturb({
      tenant: LADDER_PROJECT,
      stackName: NAME,
      losesAfter: LOSES_AFTER,
      killsAt: KILLS_AT,
      kill: () => {
        killed += kill("CheckResource");
      },
    });
    const stack = await create(lane, NAME, ladder(LAYERS, { left: 1, right: 0 }));
    await ends(lane, stack, "CREATE_COMPLETE", END_MS_MAX).finally(() => {
      const { sent, lost, creates } = read();
      lane.say(
        `${NAME}: ${sent} messages sent, each twice but ${lost} that was lost, ${killed} workers killed, ` +
          `${creates} creations asked for`,
      );
    });

    await everyObject(lane, { calls: 1, isGone: false });
    const { lost, sent, grouped, visitsMax } = read();
    // A line can appear in the log after the work that it reports.
    const what = `the log tells half of ${visitsMax} visits as deliveries, or more`;
    const deliveries = await eventually(what, LOG_MS_MAX, async () => {
      const told = await deliveriesOf(lane, stack.id);
      return visitsMax <= VISITS_PER_DELIVERY_MAX * told ? told : null;
    });
    lane.say(
      `${NAME}: ${deliveries} deliveries and at most ${visitsMax} visits for ${RESOURCES} resources`,
    );
    equal(lost, 1, "messages that were lost");
    equal(grouped, sent, "messages whose group is their tenant");
    ok(killed >= KILLS_AT.length, "a worker dies at each kill");
    ok(visitsMax >= deliveries, "every delivery visits something");
    await remove(lane, stack, END_MS_MAX);
    await everyObject(lane, { calls: 2, isGone: true });
  },
};
