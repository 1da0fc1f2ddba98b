import { describe, expect, it } from "vitest";
import { inBatches } from "#lib/groups/batches.ts";
import type { JsonObject } from "#lib/json.ts";
import { withBarriers } from "#lib/resources/groups/batches.ts";
import { aCall, act, aRow, call, keep, look, world } from "../world.ts";

const policy = (max_batch_size: number, pause_time = 0) => ({ max_batch_size, pause_time });
const template = (...names: readonly string[]): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(names.map((name) => [name, { type: "T" }])),
});

describe("batches", () => {
  it("are full except the last one", () => {
    expect(inBatches(["a", "b", "c", "d", "e"], 2)).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(inBatches(["a"], 3)).toEqual([["a"]]);
    expect(inBatches([], 1)).toEqual([]);
  });

  it("depend on a barrier that depends on the batch before, so edges grow only with the members", () => {
    const made = withBarriers(
      template("a", "b", "c", "d"),
      [
        ["a", "b"],
        ["c", "d"],
      ],
      policy(2),
      "t",
    );
    expect(made).toEqual({
      heat_template_version: "2016-10-14",
      resources: {
        a: { type: "T" },
        b: { type: "T" },
        batch_1_done: { type: "Hearth::Barrier", properties: {}, depends_on: ["a", "b"] },
        c: { type: "T", depends_on: ["batch_1_done"] },
        d: { type: "T", depends_on: ["batch_1_done"] },
      },
    });
  });

  it("have no barrier for a single batch or for unchanged members", () => {
    const given = template("a", "b");
    expect(withBarriers(given, [["a", "b"]], policy(2), "t")).toEqual(given);
    expect(withBarriers(given, [], policy(2), "t")).toEqual(given);
  });

  it("never use a member's name for a barrier", () => {
    const given = template("batch_1_done", "_batch_1_done");
    const made = withBarriers(given, [["batch_1_done"], ["_batch_1_done"]], policy(1), "t");
    expect(made["resources"]).toEqual({
      batch_1_done: { type: "T" },
      __batch_1_done: {
        type: "Hearth::Barrier",
        properties: {},
        depends_on: ["batch_1_done"],
      },
      _batch_1_done: { type: "T", depends_on: ["__batch_1_done"] },
    });
  });
});

describe("a barrier", () => {
  it("is done at once without a pause, and is deleted at once", async () => {
    const at = world();
    const row = aRow("Hearth::Barrier");
    expect(await act(at, row, "CREATE", {})).toMatchObject({ state: "finished" });
    expect(await act(at, row, "DELETE")).toEqual({ state: "finished", physicalResourceId: null });
    expect(at.ports.resourceTypes.names()).not.toContain("Hearth::Barrier");
  });

  it("waits from its beginning by the clock, however often it is polled", async () => {
    const at = world();
    const row = aRow("Hearth::Barrier");
    const request = await aCall(at, row, "CREATE", { pause_time: 2.5 });
    const begun = await call(at, row, request);
    expect(begun).toMatchObject({ state: "waiting", pollAfterMs: 2_500 });
    keep(row, request, begun);
    const handle = begun.state === "waiting" ? begun.handle : "";
    at.clock.advance(2_499);
    expect(await look(at, row, request, handle)).toMatchObject({
      state: "waiting",
      pollAfterMs: 1,
    });
    at.clock.advance(1);
    expect(await look(at, row, request, handle)).toMatchObject({ state: "finished" });
  });
});
