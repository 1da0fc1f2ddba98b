import { describe, expect, it } from "vitest";
import { heapCollection } from "../../../../apps/cli/serve/heap-growth.ts";

const forgotten = (): WeakRef<object> => new WeakRef({ bytes: new Array(1_000).fill(0) });

describe("the host's collection of its heap", () => {
  it("frees what nothing refers to, with the Node that runs it", async () => {
    const collect = heapCollection();
    const reference = forgotten();
    // The target of a WeakRef lives until the end of the turn that made the WeakRef.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(reference.deref()).toBeUndefined();
  });
});
