import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import * as z from "zod";
import { eventually } from "../eventually.ts";
import {
  act,
  create,
  ends,
  hot,
  type Lane,
  objectsOf,
  outputs,
  remove,
  type Story,
  testResource,
  traversalOf,
  update,
} from "../lane.ts";

const EVENTS_MS_MAX = 60_000;
const TRIES_MAX = 5;
/** The execution was ended by its own check, and not by the message of the end. */
const LOOKED = "looked";

const plain = (value: string) =>
  hot(
    {
      none: { type: "OS::Heat::None" },
      secret: { type: "OS::Heat::RandomString", properties: { length: 8 } },
      value: {
        type: "OS::Heat::Value",
        depends_on: ["none"],
        properties: { value: { list_join: ["-", [value, { get_attr: ["secret", "value"] }]] } },
      },
      thing: testResource({ value }),
    },
    { outputs: { value: { value: { get_attr: ["value", "value"] } } } },
  );

const wholeLife: Story = {
  name: "a stack is created, updated and deleted, with its events in order",
  play: async (lane) => {
    const stack = await create(lane, "life", plain("one"));
    await ends(lane, stack, "CREATE_COMPLETE");
    match(String((await outputs(lane, stack))["value"]), /^one-.{8}$/);
    await update(lane, stack, plain("two"));
    await ends(lane, stack, "UPDATE_COMPLETE");
    match(String((await outputs(lane, stack))["value"]), /^two-.{8}$/);
    const wanted = [
      "CREATE_IN_PROGRESS",
      "CREATE_COMPLETE",
      "UPDATE_IN_PROGRESS",
      "UPDATE_COMPLETE",
    ];
    // An event is stored after the change that it reports.
    const own = await eventually("all events are there", EVENTS_MS_MAX, async () => {
      const events = await lane.client.events(stack, {});
      const found = events.filter(({ resource_name }) => resource_name === "life");
      return found.length < wanted.length ? null : found;
    });
    deepEqual(
      own.map(({ resource_status }) => resource_status),
      wanted,
    );
    await remove(lane, stack);
    deepEqual(await objectsOf(lane, stack), []);
  },
};

const overtake = async (lane: Lane, name: string): Promise<readonly unknown[]> => {
  const slow = hot({
    a: testResource({ value: "old", wait_secs: 2 }),
    b: testResource({ value: "old", wait_secs: 300 }, { depends_on: ["a"] }),
  });
  const stack = await create(lane, name, slow);
  const first = await traversalOf(lane, stack);
  await update(
    lane,
    stack,
    hot({ a: testResource({ value: "new" }), c: testResource({ value: "new" }) }),
  );
  await ends(lane, stack, "UPDATE_COMPLETE");
  const names = (await objectsOf(lane, stack)).map(({ logicalName }) => logicalName);
  deepEqual(names.toSorted(), ["a", "c"]);
  const outcomes = [
    await outcomeOf(lane, first),
    await outcomeOf(lane, await traversalOf(lane, stack)),
  ];
  await remove(lane, stack);
  return outcomes;
};

const overtaking: Story = {
  name: "an update overtakes a create in progress",
  play: async (lane) => {
    let outcomes = await overtake(lane, "overtaken");
    // On an emulator the supervisor polls every few seconds. On a slow machine a poll can find the
    // end of the traversal before the message of the end arrives.
    for (let tries = 1; tries < TRIES_MAX && outcomes.includes(LOOKED); tries += 1)
      outcomes = await overtake(lane, `overtaken-${tries}`);
    deepEqual(outcomes, ["OVERTAKEN", "COMPLETE"]);
  },
};

const replacing: Story = {
  name: "a replacement exists before the old resource goes, and its dependents follow it",
  play: async (lane) => {
    const version = (replaces: string) =>
      hot({
        a: testResource({ value: "same", update_replace_value: replaces }),
        b: testResource({ value: { get_resource: "a" } }),
      });
    const stack = await create(lane, "replaced", version("one"));
    await ends(lane, stack, "CREATE_COMPLETE");
    const before = await physicalIds(lane, stack);
    await update(lane, stack, version("two"));
    await ends(lane, stack, "UPDATE_COMPLETE");
    const after = await physicalIds(lane, stack);
    notEqual(after["a"], before["a"]);
    equal(after["b"], before["b"]);
    const objects = await objectsOf(lane, stack);
    equal(objects.length, 2);
    equal(objects.find(({ logicalName }) => logicalName === "b")?.properties["value"], after["a"]);
    await remove(lane, stack);
  },
};

const physicalIds = async (lane: Lane, stack: Parameters<typeof objectsOf>[1]) =>
  Object.fromEntries(
    (await objectsOf(lane, stack)).map(({ logicalName, physicalId }) => [logicalName, physicalId]),
  );

const rollingBack: Story = {
  name: "a failed create is rolled back to nothing, a failed update to the former state",
  play: async (lane) => {
    const broken = testResource({ fail: true }, { depends_on: ["a"] });
    const nothing = await create(
      lane,
      "rolled-create",
      hot({ a: testResource({ value: "a" }), broken }),
      { disable_rollback: false },
    );
    await ends(lane, nothing, "ROLLBACK_COMPLETE");
    deepEqual(await objectsOf(lane, nothing), []);
    await remove(lane, nothing);

    const stack = await create(lane, "rolled-update", hot({ a: testResource({ value: "good" }) }));
    await ends(lane, stack, "CREATE_COMPLETE");
    const worse = hot({ a: testResource({ value: "worse" }), broken });
    await update(lane, stack, worse, { disable_rollback: false });
    await ends(lane, stack, "ROLLBACK_COMPLETE");
    const [object, ...others] = await objectsOf(lane, stack);
    deepEqual([object?.logicalName, object?.properties["value"], others], ["a", "good", []]);
    await remove(lane, stack);
  },
};

const cancelling: Story = {
  name: "a cancelled update goes back to the former state",
  play: async (lane) => {
    const stack = await create(lane, "cancelled", hot({ a: testResource({ value: "one" }) }));
    await ends(lane, stack, "CREATE_COMPLETE");
    const b = testResource({ wait_secs: 3 });
    const c = testResource({ wait_secs: 300 }, { depends_on: ["b"] });
    await update(lane, stack, hot({ a: testResource({ value: "two" }), b, c }));
    await act(lane, stack, "cancel_update");
    await ends(lane, stack, "ROLLBACK_COMPLETE");
    const objects = await objectsOf(lane, stack);
    deepEqual(
      objects.map(({ logicalName, properties }) => [logicalName, properties["value"]]),
      [["a", "one"]],
    );
    await remove(lane, stack);
  },
};

const suspending: Story = {
  name: "a stack is suspended, refuses updates, and is resumed",
  play: async (lane) => {
    const stack = await create(lane, "suspended", plain("one"));
    await ends(lane, stack, "CREATE_COMPLETE");
    await act(lane, stack, "suspend");
    await ends(lane, stack, "SUSPEND_COMPLETE");
    const refused = await update(lane, stack, plain("two")).then(
      () => false,
      () => true,
    );
    ok(refused, "an update of a suspended stack is refused");
    await act(lane, stack, "resume");
    await ends(lane, stack, "RESUME_COMPLETE");
    await remove(lane, stack);
  },
};

const endOutput = z.union([
  z.strictObject({ outcome: z.string() }).transform(({ outcome }) => outcome),
  z.looseObject({ ended: z.literal(true) }).transform(() => LOOKED),
]);

const outcomeOf = async (lane: Lane, traversalId: string): Promise<string> => {
  const { status, output } = await lane.account.endedExecution(traversalId);
  equal(status, "SUCCEEDED");
  return endOutput.parse(JSON.parse(output));
};

export const lifecycleStories: readonly Story[] = [
  wholeLife,
  overtaking,
  replacing,
  rollingBack,
  cancelling,
  suspending,
];
