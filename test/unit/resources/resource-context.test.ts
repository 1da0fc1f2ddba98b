import { beforeEach, describe, expect, it } from "vitest";
import type { ResourceContext } from "#lib/ports/resource-type.ts";
import { openConfig } from "#lib/software-config/configs/config-content.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { type World, world } from "./world.ts";

let at: World;
beforeEach(() => {
  at = world();
});

const contextOf = (stackId: string, id: string): ResourceContext =>
  resourceContext(at.ports, { tenant: "demo", stackId, id });

describe("the context of a handler", () => {
  it("has neither the store nor the queues", () => {
    const names = Object.keys(contextOf("stack-1", "row-1"));
    expect(names.toSorted()).toEqual(["blobs", "clock", "ids", "sealConfig"]);
  });

  it("keeps the blobs of two resources apart", async () => {
    const one = contextOf("stack-1", "row-1").blobs;
    const other = contextOf("stack-1", "row-2").blobs;
    expect(await one.put("state", "one")).toBe("stored");
    expect(await other.get("state")).toBeNull();
    expect(await other.put("state", "other")).toBe("stored");
    await other.delete("state");
    expect(await one.get("state")).toBe("one");
  });

  it("cannot read the engine's own blobs", async () => {
    await at.blobs.put("template/stack-1/1", "sealed");
    expect(await contextOf("stack-1", "row-1").blobs.get("template/stack-1/1")).toBeNull();
  });

  it("seals a config for its id, under the stack's own key", async () => {
    const config = {
      name: "n",
      group: "g",
      config: "secret",
      inputs: [],
      outputs: [],
      options: {},
    };
    const content = await contextOf("stack-1", "row-1").sealConfig("config-1", config);
    const record = { tenant: "demo", stackId: "stack-1", id: "config-1", content, createdAt: 0 };
    expect(await openConfig(at.ports.cipher, record)).toEqual(config);
    for (const other of [{ stackId: "stack-2" }, { id: "config-2" }])
      await expect(openConfig(at.ports.cipher, { ...record, ...other })).rejects.toThrow();
  });
});
