import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";

const template = (value: string, waitSecs = 0): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: {
    thing: { type: "OS::Heat::TestResource", properties: { value, wait_secs: waitSecs } },
  },
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const state = async (path: string) =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");
const act = (path: string, body: JsonObject) => world.send("POST", `${path}/actions`, body);

describe("the actions of a stack", () => {
  it("are named by exactly one key", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    const message = async (body: JsonObject) =>
      at((await act(path, body)).body, "error", "message");
    expect(await message({})).toBe("No action specified");
    expect(await message({ check: null, suspend: null })).toBe("Multiple actions specified");
    expect(await message({ dance: null })).toBe("Invalid action dance specified");
  });

  it("suspend and resume a stack, which refuses updates in between", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    expect((await act(path, { suspend: null })).status).toBe(200);
    await world.settle();
    expect(await state(path)).toBe("SUSPEND_COMPLETE");
    const refused = await world.send("PUT", path, { template: template("two") });
    expect(at(refused.body, "error")).toMatchObject({
      type: "NotSupported",
      message: "Updating a stack when it is suspended is not supported.",
    });
    await act(path, { resume: null });
    await world.settle();
    expect(await state(path)).toBe("RESUME_COMPLETE");
    expect((await world.send("PUT", path, { template: template("two") })).status).toBe(202);
  });

  it("check a stack at rest, and are refused with 409 if it is not", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    const refused = await act(path, { check: null });
    expect(refused.status).toBe(409);
    expect(at(refused.body, "error", "message")).toBe(
      "Stack app already has an action (CREATE) in progress.",
    );
    await world.settle();
    await act(path, { check: null });
    await world.settle();
    expect(await state(path)).toBe("CHECK_COMPLETE");
  });

  it("refuse to resume a stack that is not suspended", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    const refused = await act(path, { resume: null });
    expect(refused.status).toBe(400);
    expect(at(refused.body, "error", "type")).toBe("NotSupported");
  });

  it("cancel an update by a rollback to the last good target", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    await world.send("PUT", path, { template: template("two", 30) });
    await world.step();
    expect((await act(path, { cancel_update: null })).status).toBe(200);
    expect(await state(path)).toBe("ROLLBACK_IN_PROGRESS");
    await world.settle();
    expect(await state(path)).toBe("ROLLBACK_COMPLETE");
  });

  it("are not needed if an update fails: its failure makes an event, then its rollback", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    const failing = { type: "OS::Heat::TestResource", properties: { value: "one", fail: true } };
    const target = { heat_template_version: "2016-10-14", resources: { other: failing } };
    await world.send("PUT", path, { template: target, disable_rollback: false });
    await world.settle();
    const events = at(
      (await world.send("GET", `${path}/events?sort_dir=asc&resource_name=app`)).body,
      "events",
    );
    const states = z.array(z.object({ resource_status: z.string() })).parse(events);
    expect(states.slice(2).map(({ resource_status }) => resource_status)).toEqual([
      "UPDATE_IN_PROGRESS",
      "UPDATE_FAILED",
      "ROLLBACK_IN_PROGRESS",
      "ROLLBACK_COMPLETE",
    ]);
  });

  it("cancel without rollback, so the stack is FAILED at once", async () => {
    const path = await createStack(world, "app", { template: template("one", 30) });
    await world.step();
    expect((await act(path, { cancel_without_rollback: null })).status).toBe(200);
    expect(await state(path)).toBe("CREATE_FAILED");
    await world.settle();
    expect(await state(path)).toBe("CREATE_FAILED");
  });

  it("cancel only an action in progress, and a create only without rollback", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    const create = await act(path, { cancel_update: null });
    expect(at(create.body, "error", "message")).toBe(
      "Cancelling update when stack is CREATE_IN_PROGRESS is not supported. A create has no former state to go back to. `hearth stack delete` undoes it, and `hearth stack cancel --no-rollback` stops it and keeps what is there.",
    );
    await world.settle();
    const rest = await act(path, { cancel_without_rollback: null });
    expect(rest.status).toBe(400);
    expect(at(rest.body, "error", "message")).toBe(
      "Cancelling update when stack is CREATE_COMPLETE is not supported.",
    );
  });
});
