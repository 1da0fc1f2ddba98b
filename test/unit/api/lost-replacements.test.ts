import { describe, expect, it } from "vitest";
import { handleDeadLetter } from "#lib/convergence/sweep/dead-letter.ts";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { createStack, openWorld, textAt, type World } from "./api-world.ts";
import { messageOf } from "./deployment-world.ts";
import { dyingWorker, TOKENLESS } from "./dying-worker.ts";

const LEASE_PASSED_MS = 100_000;

/** A change of a property whose key contains "!" replaces the resource. */
const template = (value: string): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: { lost: { type: TOKENLESS, properties: { "v!": value } } },
});

const dyingAt = (value: string) => dyingWorker((properties) => properties["v!"] === value);

const untilDeath = async (world: World, died: Promise<"died">) => {
  for (;;) {
    const next = present(
      world.queue.pending.toSorted((one, other) => one.deliverAt - other.deliverAt)[0],
      "a message",
    );
    if ((await Promise.race([world.step(), died])) === "died") return next;
  }
};

const lostReplacement = async (options: JsonObject) => {
  const { extend, died } = dyingAt("2");
  const world = openWorld(extend);
  const path = await createStack(world, "app", { template: template("1"), ...options });
  await world.settle();
  await world.send("PUT", path, { template: template("2"), ...options });
  const visit = await untilDeath(world, died);
  world.clock.advance(LEASE_PASSED_MS);
  world.queue.pending.push({ ...visit, deliverAt: world.clock.now() });
  await world.settle();
  return { world, path };
};

const resolve = (world: World, path: string, given: JsonObject) =>
  world.send("POST", `${path}/resources/lost/resolve`, given);

const statusOf = async (world: World, path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

const valuesOf = ({ fakeProvider }: World) =>
  fakeProvider.objects().map(({ properties }) => properties["v!"]);

describe("a replacement that is lost", () => {
  it("is not created again after a rollback to the row that it replaced", async () => {
    const { world, path } = await lostReplacement({ disable_rollback: false });
    expect(await statusOf(world, path)).toBe("ROLLBACK_FAILED");
    const refused = await resolve(world, path, { retry: true });
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      expect.stringContaining("creates no lost: answer with --import or --nothing-was-made"),
    ]);
  });

  it("goes with the next update after a rollback, if its object is imported", async () => {
    const { world, path } = await lostReplacement({ disable_rollback: false });
    const made = present(world.fakeProvider.objects()[1], "the object").physicalId;
    expect((await resolve(world, path, { import: made })).status).toBe(200);
    await world.send("PUT", path, { template: template("1") });
    await world.settle();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(valuesOf(world)).toEqual(["1"]);
  });

  it("serves after an update without a rollback, if its object is imported", async () => {
    const { world, path } = await lostReplacement({ disable_rollback: true });
    const made = present(world.fakeProvider.objects()[1], "the object").physicalId;
    expect((await resolve(world, path, { import: made })).status).toBe(200);
    await world.send("PUT", path, { template: template("2") });
    await world.settle();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(valuesOf(world)).toEqual(["2"]);
  });
});

describe("the question of a lost creation", () => {
  it("is in no document of an abandoned stack, so the abandon is refused", async () => {
    const { world, path } = await lostReplacement({});
    const refused = await world.send("DELETE", `${path}/abandon`);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      "Stack app has resources whose creation may have made an object: lost. Say what is so with `hearth stack resource resolve`.",
    ]);
  });

  it("keeps its reason if the resource is marked unhealthy", async () => {
    const { extend, died } = dyingAt("1");
    const world = openWorld(extend);
    const path = await createStack(world, "app", { template: template("1") });
    const visit = await untilDeath(world, died);
    world.clock.advance(LEASE_PASSED_MS);
    world.queue.pending.push({ ...visit, deliverAt: world.clock.now() });
    await world.settle();
    const mark = { mark_unhealthy: true, resource_status_reason: "mine" };
    await world.send("PATCH", `${path}/resources/lost`, mark);
    const { body } = await world.send("GET", `${path}/resources/lost`);
    expect(textAt(body, "resource", "resource_status_reason")).toContain("outcome unknown");
  });

  it("is asked if the creation's message is given up before anybody can look", async () => {
    const { extend, died } = dyingAt("1");
    const world = openWorld(extend);
    const path = await createStack(world, "app", { template: template("1") });
    const { message } = await untilDeath(world, died);
    world.clock.advance(LEASE_PASSED_MS);
    const cipher = {
      ...world.ports.cipher,
      open: () => Promise.reject(new Error("the key cannot be read")),
    };
    expect(await handleDeadLetter({ ...world.ports, cipher }, message)).toBe("failed");
    await world.settle();
    expect((await resolve(world, path, { nothing_was_made: true })).status).toBe(200);
  });
});
