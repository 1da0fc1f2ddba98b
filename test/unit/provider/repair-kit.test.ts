import { describe, expect, it } from "vitest";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { ProvidedType } from "#provider/provider.ts";
import { HALF, type HalfDone, halfDone } from "./half-done.ts";

const PROPERTIES = { first: "1", second: "1" };

const verdict = async (
  changes: (objects: HalfDone["objects"]) => Partial<ProvidedType>,
): Promise<readonly string[]> => {
  const { provider } = halfDone(changes);
  const load = async () => provider;
  const changed = { first: "2", second: "2" };
  const results = await checkProvider({ load, type: HALF, properties: PROPERTIES, changed });
  return results
    .filter(({ name }) => name === "repair")
    .map(({ verdict: found, text }) => `${found}: ${text}`);
};

describe("the case for a failed change", () => {
  it("passes if the object comes to its properties, and back", async () => {
    expect(await verdict(() => ({}))).toEqual([
      "passed: after a failed change the same object came to its properties and back",
    ]);
  });

  it("passes if the change cannot be taken back and that is told", async () => {
    const changes = (objects: HalfDone["objects"]): Partial<ProvidedType> => ({
      update: async ({ physicalId, properties }) => {
        if (properties["first"] === "1") return { state: "failed", reason: "it cannot shrink" };
        objects.set(physicalId, properties);
        return { state: "finished" };
      },
    });
    expect(await verdict(changes)).toEqual([
      "passed: after a failed change the same object came to its properties and did not go back",
    ]);
  });

  it("fails if only what has changed since the last success is set", async () => {
    const changes = (objects: HalfDone["objects"]): Partial<ProvidedType> => ({
      update: async ({ physicalId, properties, previousProperties }) => {
        const isChanged = JSON.stringify(properties) !== JSON.stringify(previousProperties);
        if (isChanged) objects.set(physicalId, properties);
        return { state: "finished" };
      },
    });
    expect(await verdict(changes)).toEqual([
      "failed: check did not succeed: failed: it has other properties",
    ]);
  });

  it("fails if the object is replaced all the same", async () => {
    const changes = (objects: HalfDone["objects"]): Partial<ProvidedType> => ({
      update: async ({ physicalId, properties, repairs }) => {
        if (repairs) return { state: "replace" };
        objects.set(physicalId, properties);
        return { state: "finished" };
      },
    });
    expect(await verdict(changes)).toEqual(["failed: update did not succeed: replace"]);
  });

  it("is not played for a type that is not repairable", async () => {
    expect(await verdict(() => ({ repairable: undefined }))).toEqual([
      "not played: a failed change is not repaired",
    ]);
  });
});
