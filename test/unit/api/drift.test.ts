import { describe, expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { JsonObject } from "#lib/json.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import { DISK, MACHINE, type Machine, openMachines } from "../provider/machines.ts";
import { createStack, listAt, openWorld, textAt } from "./api-world.ts";

const template = (type: string, more: JsonObject = {}): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: { m: { type, properties: { size: "small", image: "first", ...more } } },
});

const openDrift = async (type = MACHINE) => {
  const { provider, machines, calls, faults } = openMachines();
  const types = Object.entries(provider.types).map(([name, given]) =>
    providedType({ provider: provider.name, name, type: given, limit: callLimit(), now: Date.now }),
  );
  const world = openWorld(undefined, { types, formerProvider: () => null });
  const path = await createStack(world, "app", { template: template(type) });
  await world.settle();
  const state = async () => textAt((await world.send("GET", path)).body, "stack", "stack_status");
  const ask = async (method: string, rest: string, body: JsonObject): Promise<string> => {
    const answer = await world.send(method, `${path}${rest}`, body);
    if (answer.status >= 300) return textAt(answer.body, "error", "message");
    await world.settle();
    return state();
  };
  const act = (verb: string) => ask("POST", "/actions", { [verb]: null });
  const update = (more: JsonObject = {}) => ask("PATCH", "", more);
  const preview = async (more: JsonObject = {}) => {
    const { body } = await world.send("PATCH", `${path}/preview`, more);
    for (const kind of ["updated", "replaced", "unchanged"] as const) {
      const [found] = listAt(body, "resource_changes", kind);
      if (found !== undefined) return [kind, textAt(found, "change", "reason") ?? ""];
    }
    return [];
  };
  const change = (id: string, changed: Partial<Machine>) => {
    const machine = machines.get(id);
    if (machine !== undefined) machines.set(id, { ...machine, ...changed });
  };
  const row = async () => (await world.send("GET", `${path}/resources/m`)).body;
  calls.length = 0;
  return { world, path, machines, calls, faults, act, update, preview, change, row, state };
};

const other = { properties: { size: "large", image: "first" } };
const wanted = { properties: { size: "small", image: "first" }, runs: true };

describe("P27, T95: after a check, an update", () => {
  it("brings an object that differs back where it stands, as the preview has said", async () => {
    const { act, update, preview, change, machines, calls } = await openDrift();
    change("machine-1", other);
    expect(await act("check")).toBe("CHECK_FAILED");
    expect(await preview()).toEqual(["updated", "it is repaired: it has another size"]);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-1", wanted]]);
    expect(calls).toEqual(["CHECK", "UPDATE"]);
    expect(await act("check")).toBe("CHECK_COMPLETE");
  });

  it("starts what is stopped", async () => {
    const { act, update, preview, change, machines, calls } = await openDrift();
    change("machine-1", { runs: false });
    expect(await act("check")).toBe("CHECK_FAILED");
    expect(await preview()).toEqual(["updated", "it is started: it is off"]);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-1", wanted]]);
    expect(calls).toEqual(["CHECK", "RESUME", "UPDATE"]);
  });

  it("starts what is stopped, and finds that it differs too", async () => {
    const { act, update, change, machines } = await openDrift();
    change("machine-1", { ...other, runs: false });
    await act("check");
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-1", wanted]]);
  });

  it("starts what is stopped, and then changes it", async () => {
    const { act, update, change, machines, calls } = await openDrift();
    change("machine-1", { runs: false });
    await act("check");
    const more = { template: template(MACHINE, { size: "large" }) };
    expect(await update(more)).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-1", { ...other, runs: true }]]);
    expect(calls).toEqual(["CHECK", "RESUME", "UPDATE"]);
  });

  it("makes anew what is gone", async () => {
    const { act, update, preview, machines, calls } = await openDrift();
    machines.clear();
    await act("check");
    expect(await preview()).toEqual([
      "replaced",
      "its object is gone: The object (machine-1) could not be found.",
    ]);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-2", wanted]]);
    expect(calls).toEqual(["CHECK", "CREATE", "DELETE"]);
  });

  it("replaces only what no update changes in place, and the preview says that before", async () => {
    const { act, update, preview, change, machines } = await openDrift(DISK);
    change("machine-1", other);
    await act("check");
    expect(await preview()).toEqual([
      "replaced",
      "no update in place brings it back, so this object is deleted: it has another size",
    ]);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines.keys()]).toEqual(["machine-2"]);
  });

  it("T96: does not replace for a look that has failed: it looks again", async () => {
    const { act, update, preview, faults, machines, calls } = await openDrift(DISK);
    faults.push("the provider is away", "it is still away");
    expect(await act("check")).toBe("CHECK_FAILED");
    expect(await preview()).toEqual([
      "updated",
      "it is looked at first, because the last look failed: the provider is away",
    ]);
    expect(await update()).toBe("UPDATE_FAILED");
    expect([...machines.keys()]).toEqual(["machine-1"]);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines.keys()]).toEqual(["machine-1"]);
    expect(calls).toEqual(["CHECK", "CHECK", "CHECK"]);
  });

  it("replaces what a user has marked", async () => {
    const { world, path, update, machines } = await openDrift();
    const mark = { mark_unhealthy: true, resource_status_reason: "it is slow" };
    await world.send("PATCH", `${path}/resources/m`, mark);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines.keys()]).toEqual(["machine-2"]);
  });
});

describe("P27: a suspended stack", () => {
  it("T97: is suspended, checked and resumed, in this order", async () => {
    const { act, update, machines } = await openDrift();
    expect(await act("suspend")).toBe("SUSPEND_COMPLETE");
    expect(await act("check")).toBe("CHECK_COMPLETE");
    expect([...machines.values()].map(({ runs }) => runs)).toEqual([false]);
    expect(await act("resume")).toBe("RESUME_COMPLETE");
    expect([...machines.values()].map(({ runs }) => runs)).toEqual([true]);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-1", wanted]]);
  });

  it("has nothing that runs, although a check before has failed", async () => {
    const { act, change, machines } = await openDrift();
    change("machine-1", other);
    await act("check");
    expect(await act("suspend")).toBe("SUSPEND_COMPLETE");
    expect([...machines.values()].map(({ runs }) => runs)).toEqual([false]);
  });

  it("keeps what a check has found until an update mends it", async () => {
    const { act, update, preview, change, machines } = await openDrift();
    change("machine-1", other);
    await act("check");
    await act("suspend");
    expect(await act("resume")).toBe("RESUME_COMPLETE");
    expect(await preview()).toEqual(["updated", "it is repaired: it has another size"]);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-1", wanted]]);
  });

  it("says what was not suspended, because nothing can be done with it", async () => {
    const { act, machines, world, path } = await openDrift();
    machines.clear();
    await act("check");
    expect(await act("suspend")).toBe("SUSPEND_COMPLETE");
    const { body } = await world.send("GET", path);
    expect(textAt(body, "stack", "stack_status_reason")).toBe(
      "Stack SUSPEND completed successfully. It was not suspended: m, because its object is gone",
    );
  });

  it("is resumed although an object is gone, and the next update makes that anew", async () => {
    const { act, update, machines, calls } = await openDrift();
    await act("suspend");
    machines.clear();
    expect(await act("check")).toBe("CHECK_FAILED");
    expect(await act("resume")).toBe("RESUME_COMPLETE");
    expect(calls).toEqual(["SUSPEND", "CHECK"]);
    expect(await update()).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-2", wanted]]);
  });
});

describe("P27: an update that converges", () => {
  it.each([
    ["differs", other, ["CHECK", "UPDATE"]],
    ["is stopped", { runs: false }, ["CHECK", "RESUME", "CHECK", "UPDATE"]],
    ["differs and is stopped", { ...other, runs: false }, ["CHECK", "RESUME", "CHECK", "UPDATE"]],
  ] as const)("repairs what %s without a check before it", async (_, changed, expected) => {
    const { update, change, machines, calls } = await openDrift();
    change("machine-1", changed);
    expect(await update({ converge: true })).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-1", wanted]]);
    expect(calls).toEqual(expected);
  });

  it("makes anew what is gone", async () => {
    const { update, machines } = await openDrift();
    machines.clear();
    expect(await update({ converge: true })).toBe("UPDATE_COMPLETE");
    expect([...machines]).toEqual([["machine-2", wanted]]);
  });
});
