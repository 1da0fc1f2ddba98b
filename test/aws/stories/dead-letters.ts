import { deepEqual, match, ok } from "node:assert/strict";
import { present } from "#lib/errors.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  hot,
  isInProgress,
  remove,
  rowNamed,
  type Story,
  show,
  testResource,
  update,
  visitOf,
} from "../lane.ts";
import { pacedSeconds } from "../pace.ts";

const MINUTE_MS = 60_000;

/** On a quiet machine the dead letters arrive within this time, while `a` is in progress. */
const TWO_SECONDS = 8;
const THREE_SECONDS = 12;

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
    await update(lane, stack, version("two", pacedSeconds(TWO_SECONDS)));
    await isInProgress(lane, stack, "a");
    await lane.account.send("CheckDeadLetter", await visitOf(lane, stack, "a"));
    await ends(lane, stack, "UPDATE_COMPLETE");
    await update(lane, stack, version("three", pacedSeconds(THREE_SECONDS)));
    await isInProgress(lane, stack, "a");
    await lane.account.send("CheckDeadLetter", await visitOf(lane, stack, "b"));
    await ends(lane, stack, "UPDATE_FAILED");
    match((await show(lane, stack)).stack_status_reason ?? "", /resources\.b.*given up/i);
    await remove(lane, stack);
  },
};

const LOOKED_AT_SECONDS = 15;

/** No poll is due before the object is ready, so the dead letter is handled first. */
const askedAgain: Story = {
  name: "a dead letter of a visit whose worker died in the provider's call repeats the call, and its object is not left behind",
  play: async (lane) => {
    const { store } = lane.account.adapter;
    const template = hot({ a: testResource({ wait_secs: pacedSeconds(LOOKED_AT_SECONDS) }) });
    const stack = await create(lane, "asked-again", template);
    await eventually("a waits for its object", MINUTE_MS, async () =>
      (await rowNamed(lane, stack, "a"))?.nextPollAt ? true : null,
    );
    const row = present(await rowNamed(lane, stack, "a"), "a");
    const operation = { ...present(row.operation, "its operation"), handle: null };
    // A worker that dies just before it records the answer leaves the row like this.
    const forgotten = { operation, nextPollAt: null, physicalResourceId: null, lease: null };
    const asItIs = [{ clause: "signalsAre" as const, signals: row.signals }];
    const { written } = await store.writeResource(row, asItIs, { set: forgotten });
    ok(written);
    await lane.account.send("CheckDeadLetter", await visitOf(lane, stack, "a"));
    await ends(lane, stack, "CREATE_COMPLETE");
    deepEqual(
      (await lane.account.objectsMade(stack.stack_name)).map(({ logicalName }) => logicalName),
      ["a"],
    );
    await remove(lane, stack);
  },
};

export const deadLetterStories: readonly Story[] = [deadLetters, askedAgain];
