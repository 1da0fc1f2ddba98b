import { beforeEach, describe, expect, it } from "vitest";
import { handler as deadlineHandler } from "#functions/deadline/handler.ts";
import { createStack, openWorld, textAt, type World } from "../api/api-world.ts";

const TENANT = "demo";
const MINUTE_MS = 60_000;
const ENDLESS = {
  template: {
    heat_template_version: "2016-10-14",
    resources: { a: { type: "OS::Heat::TestResource", properties: { wait_secs: 3_600 } } },
  },
  timeout_mins: 2,
};

let world: World;
let path: string;
beforeEach(async () => {
  world = openWorld();
  path = await createStack(world, "app", ENDLESS);
});

const look = async (traversalId?: string) => {
  const [stack] = await world.store.listStacks(TENANT);
  const task = {
    tenant: TENANT,
    stackId: stack?.id,
    traversalId: traversalId ?? stack?.traversalId,
  };
  return deadlineHandler(world.ports)(task);
};

const statusOf = async (): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

describe("the supervisor's check of a deadline", () => {
  it("answers how long to wait if it comes too early", async () => {
    world.clock.advance(MINUTE_MS);
    expect(await look()).toMatchObject({ ended: false, timeoutSeconds: 60 });
    expect(await statusOf()).toBe("CREATE_IN_PROGRESS");
  });

  it.each([
    ["before it is prepared", 0],
    ["once it is prepared", 1],
    ["while its resource is in progress", 2],
  ])("fails an operation past its deadline %s", async (_, steps) => {
    for (let step = 0; step < steps; step += 1) await world.step();
    world.clock.advance(2 * MINUTE_MS);
    expect(await look()).toMatchObject({ ended: true });
    expect(await statusOf()).toBe("CREATE_FAILED");
  });

  it("ignores an operation that has ended, was overtaken or does not exist", async () => {
    world.clock.advance(2 * MINUTE_MS);
    expect(await look("another traversal")).toMatchObject({ ended: true });
    expect(await statusOf()).toBe("CREATE_IN_PROGRESS");
    await look();
    expect(await look()).toMatchObject({ ended: true });
    expect(await statusOf()).toBe("CREATE_FAILED");
  });
});
