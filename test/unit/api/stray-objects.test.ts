/** What carries Hearth's mark at a provider and belongs to no stack is listed, and left alone. */
import { beforeEach, describe, expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import type { MarkedObject, ProvidedType } from "#provider/provider.ts";
import { createStack, openWorld, type World } from "./api-world.ts";

let objects: Map<string, MarkedObject & { readonly tenant: string }>;
let answers: boolean;
let world: World;

const thing: ProvidedType = {
  description: "nothing",
  properties: {},
  tokens: "kept",
  create: async ({ token: physicalId, tenant, stackId, stackName, resourceName }) => {
    objects.set(physicalId, { physicalId, tenant, stackId, stackName, resourceName });
    return { state: "finished", physicalId };
  },
  delete: async ({ physicalId }) => {
    objects.delete(physicalId);
    return { state: "finished" };
  },
  marked: async (tenant) => {
    if (!answers) throw new Error("no answer of it");
    return [...objects.values()].flatMap(({ tenant: whose, ...marks }) =>
      whose === tenant ? [marks] : [],
    );
  },
};
const { marked: _, ...silent } = thing;

const TYPES = new Map<string, ProvidedType>([
  ["Example::Thing", thing],
  ["Example::Silent", silent],
]);

beforeEach(() => {
  objects = new Map();
  answers = true;
  const given = { provider: "example", limit: callLimit(), now: Date.now };
  world = openWorld((types) => ({
    get: async (name) => {
      const type = TYPES.get(name);
      return type === undefined ? types.get(name) : providedType({ ...given, name, type });
    },
    names: () => [...types.names(), ...TYPES.keys()],
  }));
});

const stray = { physicalId: "stray", stackId: "s", stackName: "old", resourceName: "a" };
const SILENT = {
  resource_type: "Example::Silent",
  reason: "its provider cannot list what carries Hearth's mark",
};

describe("objects that carry Hearth's mark", () => {
  it("are listed if no stack of the project has them, and their types if nobody can list", async () => {
    const resources = { own: { type: "Example::Thing" } };
    const template = { heat_template_version: "2018-08-31", resources };
    await createStack(world, "app", { template });
    await world.settle();
    expect(objects.size).toBe(1);
    objects.set("stray", { ...stray, tenant: "demo" });
    objects.set("theirs", { ...stray, physicalId: "theirs", tenant: "other" });
    const { body } = await world.send("GET", "/_objects");
    const listed = {
      resource_type: "Example::Thing",
      physical_resource_id: "stray",
      stack_id: "s",
      stack_name: "old",
      resource_name: "a",
    };
    expect(body).toEqual({ objects: [listed], untold: [SILENT] });
    expect(objects.size).toBe(3);
  });

  it("are not told while their provider does not answer, and the others are", async () => {
    answers = false;
    const { body } = await world.send("GET", "/_objects");
    const untold = [{ resource_type: "Example::Thing", reason: "no answer of it" }, SILENT];
    expect(body).toEqual({ objects: [], untold });
  });
});
