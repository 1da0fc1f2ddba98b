import { beforeEach, describe, expect, it } from "vitest";
import type { ResourceContext } from "#lib/ports/resource-context.ts";
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
    expect(names.toSorted()).toEqual(["blobs", "clock", "ids", "secrets"]);
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

  it("seals under the stack's own key", async () => {
    const sealed = await contextOf("stack-1", "row-1").secrets.seal("secret");
    expect(await contextOf("stack-1", "row-2").secrets.open(sealed)).toBe("secret");
    await expect(contextOf("stack-2", "row-1").secrets.open(sealed)).rejects.toThrow();
    expect(await at.ports.cipher.open("demo/stack-1", sealed)).toBe("secret");
  });
});
