import { equal, match } from "node:assert/strict";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  hot,
  type Lane,
  PROJECT,
  rowNamed,
  type Story,
  show,
  testResource,
  traversalOf,
} from "../lane.ts";

const MINUTE_MS = 60_000;

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

const TRIES_MAX = 6;

const LATE = hot({ a: testResource({ wait_secs: 3_600 }) });

const statesAfterDeadline = async (lane: Lane, name: string): Promise<readonly string[]> => {
  const { store } = lane.account.adapter;
  const stack = await create(lane, name, LATE);
  const traversalId = await traversalOf(lane, stack);
  await eventually("a is in progress", MINUTE_MS, async () =>
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

export const supervised: Story = {
  name: "Step Functions ends a stack at its deadline when nothing else looks at it",
  play: async (lane) => {
    const seen: string[] = [];
    // A round of the sweeper can end the stack first, and on a slow machine several can.
    while (seen.length < TRIES_MAX && seen.at(-1) !== "TimedOut") {
      const states = await statesAfterDeadline(lane, `late-quiet-${seen.length}`);
      seen.push(states.at(-1) ?? "");
    }
    equal(seen.at(-1), "TimedOut", seen.join());
  },
};
