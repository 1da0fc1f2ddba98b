/** What goes wrong on AWS: time runs out, messages are lost or poisoned, workers die. */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { present } from "#lib/errors.ts";
import type { CheckResourceMessage } from "#lib/ports/queue.ts";
import { eventually, pause } from "../eventually.ts";
import {
  create,
  ends,
  hot,
  type Lane,
  objectsOf,
  PROJECT,
  REPAIR_MS_MAX,
  remove,
  type StackRef,
  type Story,
  show,
  skipsWithoutWorkers,
  testResource,
  traversalOf,
  update,
} from "../lane.ts";
import { ladder } from "./ladder.ts";

const MINUTE_MS = 60_000;
/**
 * Its own lost message, and the two of the ladder beside it, each after the repair of the one
 * before.
 */
const LOSSES_MS_MAX = 3 * REPAIR_MS_MAX;

export const timingOut: Story = {
  name: "a stack past its timeout of a minute fails, and its supervisor's execution ends",
  play: async (lane) => {
    const endless = hot({ a: testResource({ wait_secs: 3_600 }) });
    const stack = await create(lane, "late", endless, { timeout_mins: 1 });
    const traversal = await traversalOf(lane, stack);
    await ends(lane, stack, "CREATE_FAILED", 2 * MINUTE_MS);
    match((await show(lane, stack)).stack_status_reason ?? "", /CREATE timed out$/);
    equal((await lane.account.endedExecution(traversal)).status, "SUCCEEDED");
  },
};

const DEADLINE_MS_MAX = 20_000;

const LATE = hot({ a: testResource({ wait_secs: 3_600 }) });

/** The states of its supervisor's execution, read once it has ended. */
const statesAfterDeadline = async (lane: Lane, name: string): Promise<readonly string[]> => {
  const { store } = lane.account.adapter;
  const stack = await create(lane, name, LATE);
  const traversalId = await traversalOf(lane, stack);
  await eventually("a is under way", MINUTE_MS, async () =>
    (await rowNamed(lane, stack, "a"))?.nextPollAt ? true : null,
  );
  // Only the stack is past its deadline. Its resource has an hour left, so no visit notices.
  const running = [{ clause: "traversalIs" as const, traversalId }];
  await store.writeStack(PROJECT, stack.id, running, { deadline: Date.now() });
  await ends(lane, stack, "CREATE_FAILED", DEADLINE_MS_MAX);
  equal((await show(lane, stack)).stack_status_reason, "Stack CREATE timed out");
  const { status, states } = await lane.account.endedExecution(traversalId);
  equal(status, "SUCCEEDED");
  return states;
};

const supervised: Story = {
  name: "Step Functions ends a stack at its deadline when nothing else looks at it",
  play: async (lane) => {
    // A round of the sweeper may come first. The next is a minute away, so a second try meets none.
    const once = await statesAfterDeadline(lane, "late-quiet");
    const states =
      once.at(-1) === "TimedOut" ? once : await statesAfterDeadline(lane, "late-and-quiet");
    equal(states.at(-1), "TimedOut", states.join());
  },
};

const isUnderWay = (lane: Lane, stack: StackRef, name: string): Promise<true> =>
  eventually(`${name} is under way`, MINUTE_MS, async () =>
    (await rowNamed(lane, stack, name))?.operation ? true : null,
  );

const rowNamed = async ({ account }: Lane, stack: StackRef, name: string) => {
  const rows = await account.adapter.store.listResources(stack.id);
  return rows.find((row) => row.name === name);
};

const message = async (
  lane: Lane,
  stack: StackRef,
  name: string,
): Promise<CheckResourceMessage> => ({
  type: "check_resource",
  tenant: PROJECT,
  stackId: stack.id,
  traversalId: await traversalOf(lane, stack),
  resourceId: (await rowNamed(lane, stack, name))?.id ?? "",
  isUpdate: true,
});

const deadLetters: Story = {
  name: "a dead letter fails its resource; a poisoned duplicate of a healthy visit changes nothing",
  play: async (lane) => {
    const version = (value: string, wait_secs: number) =>
      hot({
        a: testResource({ value, wait_secs }),
        b: testResource({ value }, { depends_on: ["a"] }),
      });
    const stack = await create(lane, "letters", version("one", 0));
    await ends(lane, stack, "CREATE_COMPLETE");
    await update(lane, stack, version("two", 8));
    await isUnderWay(lane, stack, "a");
    await lane.account.send("CheckDeadLetter", await message(lane, stack, "a"));
    await ends(lane, stack, "UPDATE_COMPLETE");
    await update(lane, stack, version("three", 12));
    await isUnderWay(lane, stack, "a");
    await lane.account.send("CheckDeadLetter", await message(lane, stack, "b"));
    await ends(lane, stack, "UPDATE_FAILED");
    match((await show(lane, stack)).stack_status_reason ?? "", /resources\.b.*given up/i);
    await remove(lane, stack);
  },
};

const LOOKED_AT_SECONDS = 15;

/** Nothing polls the object before it is ready, so the dead letter comes first. */
const askedAgain: Story = {
  name: "a dead letter of a visit whose worker died in the provider's call repeats the call, and its object is not left behind",
  play: async (lane) => {
    const { store } = lane.account.adapter;
    const template = hot({ a: testResource({ wait_secs: LOOKED_AT_SECONDS }) });
    const stack = await create(lane, "asked-again", template);
    await eventually("a waits for its object", MINUTE_MS, async () =>
      (await rowNamed(lane, stack, "a"))?.nextPollAt ? true : null,
    );
    const row = present(await rowNamed(lane, stack, "a"), "a");
    const operation = { ...present(row.operation, "its operation"), handle: null };
    // The row as a worker leaves it that died just before it recorded the answer.
    const forgotten = { operation, nextPollAt: null, physicalResourceId: null, lease: null };
    const asItIs = [{ clause: "signalsAre" as const, signals: row.signals }];
    const { written } = await store.writeResource(row, asItIs, { set: forgotten });
    ok(written);
    await lane.account.send("CheckDeadLetter", await message(lane, stack, "a"));
    await ends(lane, stack, "CREATE_COMPLETE");
    deepEqual(
      (await lane.account.objectsMade(stack.stack_name)).map(({ logicalName }) => logicalName),
      ["a"],
    );
    await remove(lane, stack);
  },
};

const RUNGS = 10;
const rungs = (): object => ladder(RUNGS, { left: 1, right: 1 });

const isWhole = async (lane: Lane, stack: StackRef): Promise<void> => {
  await ends(lane, stack, "CREATE_COMPLETE", LOSSES_MS_MAX);
  const names = (await objectsOf(lane, stack)).map(({ logicalName }) => logicalName);
  equal(names.length, 2 * RUNGS);
  equal(new Set(names).size, 2 * RUNGS);
};

// Stories beside this one that kill workers kill these too, even during the delete.
const LOSS_AFTER_MS = 4_000;
const KILLS = 10;
const KILL_EVERY_MS = 400;

const lostMessages = (harmIsDone: () => void): Story => ({
  name: "the sweeper replaces lost messages",
  play: async (lane) => {
    const stack = await create(lane, "lossy", rungs());
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
  skips: skipsWithoutWorkers,
  play: async (lane) => {
    const killWorkers = present(lane.killWorkers, "a way to kill workers");
    const stack = await create(lane, "killed", rungs());
    // Earlier there may be no worker yet, and the stack may end before the first look.
    await eventually("left0 has begun", MINUTE_MS, async () => {
      const { action = "INIT" } = (await rowNamed(lane, stack, "left0")) ?? {};
      return action === "INIT" ? null : true;
    });
    let killed = 0;
    for (let kills = 0; kills < KILLS; kills += 1) {
      await pause(KILL_EVERY_MS);
      killed += killWorkers("EngineCheckResource");
    }
    harmIsDone();
    ok(killed > 0, "no worker was killed");
    await isWhole(lane, stack);
    await remove(lane, stack, LOSSES_MS_MAX);
  },
});

const STORM_MS = 8_000;

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
      for (const { resourceId, isUpdate } of graph.nodes) {
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

/** Play this last. */
export const nothingLeft: Story = {
  name: "the provider holds nothing of a deleted stack",
  play: async ({ account }) => {
    const left = await account.adapter.fakeProvider.list();
    // The stacks past their deadline still exist, and their resource takes its hour.
    const names = left.map(({ stackName }) => stackName);
    deepEqual(
      names.filter((name) => !name.startsWith("late")),
      [],
    );
  },
};

export const quickTroubleStories: readonly Story[] = [supervised, deadLetters, askedAgain];
/**
 * These disturb everything else in progress until `harmIsDone`. After it they touch only their own
 * stacks.
 */
export const harshStories = () => {
  const [lost, killed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stories = [lostMessages(lost.resolve), killedWorkers(killed.resolve), duplicates];
  return { stories, harmIsDone: Promise.all([lost.promise, killed.promise]) };
};
