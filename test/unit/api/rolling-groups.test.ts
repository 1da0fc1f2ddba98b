import { describe, expect, it } from "vitest";
import { at } from "./api-world.ts";
import { openGroup, refusalOf } from "./group-world.ts";

const MEMBERS = ["a", "b", "c"];
const byOne = { rolling_update: {} };
const LATER_MS = 40_000;

describe("batch_create", () => {
  it("deploys to one batch of servers at a time, in the template's order", async () => {
    const group = await openGroup({
      members: ["a", "b", "c", "d", "e"],
      policy: { batch_create: { max_batch_size: 2 } },
    });
    expect(await group.roll()).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(await group.state()).toBe("CREATE_COMPLETE");
    expect(group.world.unexpected).toEqual([]);
  });

  it("does nothing in an update, and rolling_update nothing in a create", async () => {
    const policy = { batch_create: {} };
    const created = await openGroup({ members: MEMBERS, policy: byOne });
    expect(await created.roll()).toEqual([MEMBERS]);
    const updated = await openGroup({ members: MEMBERS, policy });
    await updated.roll();
    await updated.update({ members: MEMBERS, policy, version: "2" });
    expect(await updated.roll()).toEqual([MEMBERS]);
  });
});

describe("rolling_update", () => {
  it("shows its members alone: what orders batches is in no list and no attribute", async () => {
    const group = await openGroup({ members: MEMBERS });
    await group.roll();
    await group.update({ members: MEMBERS, policy: byOne, version: "2" });
    await group.roll();
    for (const query of ["nested_depth=1", "nested_depth=1&limit=100"]) {
      const { body } = await group.world.send("GET", `${group.path}/resources?${query}`);
      const listed = at(body, "resources");
      if (!Array.isArray(listed)) throw new Error("there is no list");
      const below = listed.filter((one) => at(one, "parent_resource") === "group");
      expect(below.map((one) => at(one, "resource_name"))).toEqual(MEMBERS);
      expect(below.map((one) => at(one, "required_by"))).toEqual(MEMBERS.map(() => []));
    }
  });

  it("goes from the last member to the first, and barriers between batches are no attributes", async () => {
    const group = await openGroup({ members: MEMBERS });
    await group.roll();
    await group.update({ members: MEMBERS, policy: byOne, version: "2" });
    expect(await group.roll()).toEqual([["c"], ["b"], ["a"]]);
    expect(await group.state()).toBe("UPDATE_COMPLETE");
    const { body } = await group.world.send("GET", `${group.path}/outputs/codes`);
    expect(at(body, "output", "output_value")).toEqual({ a: 0, b: 0, c: 0 });
  });

  it("begins with new members, and removes old ones at once", async () => {
    const group = await openGroup({ members: MEMBERS, actions: ["CREATE", "UPDATE", "DELETE"] });
    await group.roll();
    const members = ["b", "c", "d"];
    await group.update({ members, policy: byOne, version: "2" });
    expect(await group.states()).toMatchObject({
      a: "DELETE_IN_PROGRESS",
      d: "CREATE_IN_PROGRESS",
    });
    await group.end("a");
    expect(await group.roll()).toEqual([["d"], ["c"], ["b"]]);
    expect(await group.states()).not.toHaveProperty("a");
  });

  it("counts only the members whose definition changes", async () => {
    const group = await openGroup({ members: MEMBERS });
    await group.roll();
    await group.update({ members: [...MEMBERS, "d"], policy: byOne });
    expect(await group.roll()).toEqual([["d"]]);
    expect(Object.keys(await group.states()).sort()).toEqual(["a", "b", "c", "d"]);
    const change = { members: [...MEMBERS, "d"], policy: byOne, moved: ["a", "c"] };
    await group.update(change);
    expect(await group.roll()).toEqual([["c"], ["a"]]);
    await group.update(change);
    expect(await group.roll()).toEqual([]);
  });

  it("stops if a batch fails, and the next update finishes the rest in batches", async () => {
    const group = await openGroup({ members: MEMBERS });
    await group.roll();
    const change = { members: MEMBERS, policy: byOne, version: "2" };
    await group.update(change);
    await group.end("c");
    await group.end("b", "FAILED");
    await group.world.settle();
    expect(await group.state()).toBe("UPDATE_FAILED");
    expect(await group.states()).toMatchObject({
      a: "CREATE_COMPLETE",
      b: "UPDATE_FAILED",
      c: "UPDATE_COMPLETE",
    });
    await group.update(change);
    expect(await group.roll()).toEqual([["b"], ["a"]]);
    expect(await group.state()).toBe("UPDATE_COMPLETE");
  });

  it("remembers the failed update after a suspend and resume of the nested stack", async () => {
    const group = await openGroup({ members: MEMBERS });
    await group.roll();
    const change = { members: MEMBERS, policy: byOne, version: "2" };
    await group.update(change);
    await group.end("c", "FAILED");
    await group.world.settle();
    const below = (await group.nested()) ?? "";
    for (const action of ["suspend", "resume"]) {
      await group.world.send("POST", `${below}/actions`, { [action]: null });
      await group.world.settle();
    }
    const { body } = await group.world.send("GET", below);
    expect(at(body, "stack", "stack_status")).toBe("RESUME_COMPLETE");
    await group.update(change);
    expect(await group.roll()).toEqual([["c"], ["b"], ["a"]]);
  });

  it("is planned again if another request changes the nested stack before the plan is accepted", async () => {
    const group = await openGroup({ members: MEMBERS });
    await group.roll();
    const { store, send } = group.world;
    const below = await group.nested();
    const { writeStack } = store;
    Object.assign(store, {
      writeStack: async (...request: Parameters<typeof writeStack>) => {
        if (request[3].owner !== undefined) {
          Object.assign(store, { writeStack });
          const parameters = { input_values: { version: "behind" } };
          await send("PATCH", below ?? "", { existing: true, parameters });
          for (const name of MEMBERS) await group.end(name);
        }
        return writeStack(...request);
      },
    });
    await group.update({ members: [...MEMBERS, "d"], policy: byOne });
    // The first plan does not change the old members, so they would be in no batch.
    expect(await group.roll()).toEqual([["d"], ["c"], ["b"], ["a"]]);
    expect(store.writeStack).toBe(writeStack);
  });

  it("can be overtaken by another update, which runs on one server at a time", async () => {
    const group = await openGroup({ members: MEMBERS });
    await group.roll();
    await group.update({ members: MEMBERS, policy: byOne, version: "2" });
    await group.end("c");
    expect(await group.running()).toEqual(["b"]);
    await group.update({ members: MEMBERS, policy: byOne, version: "3" });
    // The parent's visit ends the nested operation. The agent of b may still run.
    group.world.clock.advance(LATER_MS);
    expect(await group.running()).toContain("c");
    await group.end("c");
    expect(await group.roll()).toEqual([["b"], ["a"]]);
    expect(await group.state()).toBe("UPDATE_COMPLETE");
  });

  it("is rolled back in batches after a failed batch", async () => {
    const group = await openGroup({ members: MEMBERS, policy: byOne });
    await group.roll();
    await group.world.send("PATCH", group.path, { disable_rollback: false, existing: true });
    await group.roll();
    await group.update({ members: MEMBERS, policy: byOne, version: "2" });
    await group.end("c");
    await group.end("b", "FAILED");
    group.world.clock.advance(LATER_MS);
    expect(await group.roll()).toEqual([["c"], ["b"]]);
    expect(await group.state()).toBe("ROLLBACK_COMPLETE");
  });
});

describe("a group with batches", () => {
  const ALWAYS = ["CREATE", "UPDATE", "SUSPEND", "RESUME", "DELETE"];

  it("is suspended, resumed and deleted on all servers at once", async () => {
    const group = await openGroup({
      members: MEMBERS,
      policy: { batch_create: {} },
      actions: ALWAYS,
    });
    expect(await group.roll()).toEqual([["a"], ["b"], ["c"]]);
    for (const action of ["suspend", "resume"]) {
      await group.act(action);
      expect(await group.roll()).toEqual([MEMBERS]);
      expect(await group.state()).toBe(`${action.toUpperCase()}_COMPLETE`);
    }
    await group.world.send("DELETE", group.path);
    expect(await group.roll()).toEqual([MEMBERS]);
    expect(await group.state()).toBe("DELETE_COMPLETE");
  });

  it("waits the policy's seconds between two batches, in every update", async () => {
    const policy = { rolling_update: { max_batch_size: 2, pause_time: 90 } };
    const group = await openGroup({ members: MEMBERS });
    await group.roll();
    for (const version of ["2", "3"]) {
      await group.update({ members: MEMBERS, policy, version });
      expect(await group.running()).toEqual(["b", "c"]);
      await group.end("b");
      await group.end("c");
      const { clock, queue, step } = group.world;
      const from = clock.now();
      while ((await group.running()).length === 0 && queue.pending.length > 0) await step();
      expect(await group.running()).toEqual(["a"]);
      expect(clock.now() - from).toBe(90_000);
      await group.roll();
      expect(await group.state()).toBe("UPDATE_COMPLETE");
    }
  });

  it("fails at once if its pauses take too long", async () => {
    const group = await openGroup({
      members: MEMBERS,
      policy: { batch_create: { pause_time: 1_800 } },
    });
    await group.world.settle();
    const { body } = await group.world.send("GET", group.path);
    expect(at(body, "stack", "stack_status_reason")).toBe(
      "Resource CREATE failed: ValueError: resources.group: The current update policy will result in stack update timeout.",
    );
  });
});

describe("an update policy", () => {
  it.each([
    [
      { rolling_update: { max_batch_size: 0 } },
      "rolling_update.max_batch_size: 0 is out of range (min: 1, max: None)",
    ],
    [
      { batch_create: { pause_time: -1 } },
      "batch_create.pause_time: -1 is out of range (min: 0, max: None)",
    ],
    [
      { batch_create: { max_batch_size: "many" } },
      "batch_create.max_batch_size: Value 'many' is not an integer",
    ],
    [{ rolling_update: { min_in_service: 1 } }, "rolling_update: Unknown Property min_in_service"],
    [{ rolling_update: 3 }, 'rolling_update: "3" is not a map'],
    [{ other: {} }, ": Unknown Property other"],
  ])("%j is refused with Heat's text", async (policy, text) => {
    const dot = text.startsWith(":") ? "" : ".";
    const place = "Property error: resources.group.update_policy";
    expect(await refusalOf(policy)).toEqual([400, `${place}${dot}${text}`]);
  });

  it("may use parameters", async () => {
    const policy = { batch_create: { max_batch_size: { get_param: "size" } } };
    const group = await openGroup({ members: MEMBERS, policy });
    expect(await group.roll()).toEqual([["a", "b"], ["c"]]);
  });
});
