import { deepEqual, equal, ok } from "node:assert/strict";
import { present } from "#lib/errors.ts";
import type { NodeKey, StoredGraph } from "#lib/model/graph.ts";
import { eventually, pause } from "../eventually.ts";
import {
  create,
  ends,
  type Lane,
  objectsOf,
  PROJECT,
  REPAIR_MS_MAX,
  remove,
  rowNamed,
  type StackRef,
  type Story,
  traversalOf,
} from "../lane.ts";
import { ladder } from "./ladder.ts";

const MINUTE_MS = 60_000;
/**
 * One lost message of this story and two of the ladder beside it. Each can wait for the repair
 * before.
 */
const LOSSES_MS_MAX = 3 * REPAIR_MS_MAX;

const RUNGS = 10;
const rungs = (): object => ladder(RUNGS, { left: 1, right: 1 });

/** The secret takes the path of every hidden parameter, although messages are lost on it. */
const withSecret = (template: object): object => ({
  ...template,
  parameters: { secret: { type: "string", hidden: true } },
  outputs: { secret: { value: { get_param: "secret" } } },
});

const isWhole = async (lane: Lane, stack: StackRef): Promise<void> => {
  await ends(lane, stack, "CREATE_COMPLETE", LOSSES_MS_MAX);
  const names = (await objectsOf(lane, stack)).map(({ logicalName }) => logicalName);
  equal(names.length, 2 * RUNGS);
  equal(new Set(names).size, 2 * RUNGS);
};

// Other stories kill workers at the same time, and these are hit too, even during the delete.
const LOSS_AFTER_MS = 4_000;
const KILLS = 10;
const KILL_EVERY_MS = 400;

const lostMessages = (harmIsDone: () => void): Story => ({
  name: "the sweeper replaces lost messages",
  play: async (lane) => {
    const parameters = { secret: `planted-${crypto.randomUUID()}` };
    lane.planted.push(parameters.secret);
    const stack = await create(lane, "lossy", withSecret(rungs()), { parameters });
    await pause(LOSS_AFTER_MS);
    await lane.account.purge("Check");
    await lane.account.purge("Poll");
    harmIsDone();
    await isWhole(lane, stack);
    await remove(lane, stack, LOSSES_MS_MAX);
  },
});

const killedWorkers = (harmIsDone: () => void): Story => ({
  name: "workers killed during visits lose nothing and do nothing twice",
  needs: ["workers"],
  play: async (lane) => {
    const killWorkers = present(lane.killWorkers, "a way to kill workers");
    const stack = await create(lane, "killed", rungs());
    // Before that there may be no worker to kill.
    await eventually("left0 has begun", MINUTE_MS, async () => {
      const { action = "INIT" } = (await rowNamed(lane, stack, "left0")) ?? {};
      return action === "INIT" ? null : true;
    });
    let killed = 0;
    for (let kills = 0; kills < KILLS; kills += 1) {
      await pause(KILL_EVERY_MS);
      killed += killWorkers("CheckResource");
    }
    harmIsDone();
    ok(killed > 0, "no worker was killed");
    await isWhole(lane, stack);
    await remove(lane, stack, LOSSES_MS_MAX);
  },
});

const STORM_MS = 15_000;

const nodesOf = (graph: StoredGraph): readonly NodeKey[] => {
  ok("nodes" in graph, "the graph is in parts");
  return graph.nodes;
};

const duplicates: Story = {
  name: "every visit of a stack, sent again and again, does its work once",
  play: async (lane) => {
    const { store } = lane.account.adapter;
    const stack = await create(lane, "stormy", rungs());
    const traversalId = await traversalOf(lane, stack);
    const graph = await eventually("the graph is there", MINUTE_MS, () =>
      store.getGraph(stack.id, traversalId),
    );
    const end = performance.now() + STORM_MS;
    while (performance.now() < end) {
      // A row shows that its node was ready. The engine never sends a visit of a node that is not.
      const begun = new Set((await store.listResources(stack.id)).map(({ id }) => id));
      for (const { resourceId, isUpdate } of nodesOf(graph)) {
        if (!begun.has(resourceId)) continue;
        await lane.account.send("Check", {
          type: "check_resource",
          tenant: PROJECT,
          stackId: stack.id,
          traversalId,
          resourceId,
          isUpdate,
        });
      }
    }
    await isWhole(lane, stack);
    await remove(lane, stack, LOSSES_MS_MAX);
  },
};

/**
 * These stories disturb everything in progress until `harmIsDone`, and then only their own stacks.
 */
export const harshStories = () => {
  const [lost, killed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stories = [lostMessages(lost.resolve), killedWorkers(killed.resolve), duplicates];
  return { stories, harmIsDone: Promise.all([lost.promise, killed.promise]) };
};

export const nothingLeft: Story = {
  name: "the provider holds nothing of a deleted stack",
  isLast: true,
  play: async ({ account }) => {
    const left = await account.adapter.fakeProvider.list();
    // The stacks past their deadline still exist, and their resource takes an hour.
    const names = left.map(({ stackName }) => stackName);
    deepEqual(
      names.filter((name) => !name.startsWith("late")),
      [],
    );
  },
};
