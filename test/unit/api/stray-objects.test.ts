import { beforeEach, describe, expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { ResourceType, Unlisted } from "#lib/ports/resource-type.ts";
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

const nameless: ProvidedType = {
  ...thing,
  create: async ({ token: physicalId, tenant }) => {
    objects.set(physicalId, { physicalId, tenant });
    return { state: "waiting", physicalId, handle: physicalId };
  },
  poll: async ({ physicalId, handle }) =>
    answers ? { state: "finished", physicalId } : { state: "waiting", physicalId, handle },
  marked: async () => [...objects.values()].map(({ physicalId }) => ({ physicalId })),
};

const TYPES = new Map<string, ProvidedType>([
  ["Example::Thing", thing],
  ["Example::Silent", silent],
]);
const NAMELESS = new Map<string, ProvidedType>([["Example::Nameless", nameless]]);

const withUnlisted = (type: ResourceType, unlisted: Unlisted | undefined): ResourceType =>
  unlisted === undefined ? type : { ...type, unlisted };

const open = (made: ReadonlyMap<string, ProvidedType>, unlisted?: Unlisted): World => {
  const given = { provider: "example", limit: callLimit(), now: Date.now };
  return openWorld((types) => ({
    get: async (name) => {
      const type = made.get(name);
      return type === undefined
        ? types.get(name)
        : withUnlisted(providedType({ ...given, name, type }), unlisted);
    },
    names: () => [...types.names(), ...made.keys()],
  }));
};

beforeEach(() => {
  objects = new Map();
  answers = true;
  world = open(TYPES);
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

  it("are held back while an operation of their type may have made them, if they have no names", async () => {
    world = open(NAMELESS);
    const stuck = { own: { type: "Example::Nameless" } };
    const template = { heat_template_version: "2018-08-31", resources: stuck };
    objects.set("stray", { physicalId: "stray", tenant: "demo" });
    answers = false;
    await createStack(world, "app", { template });
    await world.goOn();
    const { body: during } = await world.send("GET", "/_objects");
    const reason = expect.stringContaining("an operation of the type is under way");
    expect(during).toEqual({
      objects: [],
      untold: [{ resource_type: "Example::Nameless", reason }],
    });
    answers = true;
    await world.settle();
    const { body: after } = await world.send("GET", "/_objects");
    const names = { stack_id: null, stack_name: null, resource_name: null };
    const listed = { resource_type: "Example::Nameless", physical_resource_id: "stray", ...names };
    expect(after).toEqual({ objects: [listed], untold: [] });
  });

  it("are listed of such types of a large family that a stack of the project has", async () => {
    const isRequest = (physicalId: string) => physicalId.startsWith("request:");
    const unlisted = { types: "other Example::* types", why: "they are many", isRequest };
    const family = ["Example::Used", "Example::Unused"] as const;
    world = open(new Map(family.map((name) => [name, nameless])), unlisted);
    const template = {
      heat_template_version: "2018-08-31",
      resources: { own: { type: "Example::Used" } },
    };
    await createStack(world, "app", { template });
    await world.settle();
    objects.set("stray", { physicalId: "stray", tenant: "demo" });
    const { body } = await world.send("GET", "/_objects");
    const names = { stack_id: null, stack_name: null, resource_name: null };
    const listed = { resource_type: "Example::Used", physical_resource_id: "stray", ...names };
    const others = { resource_type: "other Example::* types", reason: "they are many" };
    expect(body).toEqual({ objects: [listed], untold: [others] });
  });

  it("are held back while a row names a request, and not what it has made", async () => {
    const isRequest = () => true;
    const unlisted = { types: "other Example::* types", why: "they are many", isRequest };
    world = open(NAMELESS, unlisted);
    const template = {
      heat_template_version: "2018-08-31",
      resources: { own: { type: "Example::Nameless" } },
    };
    await createStack(world, "app", { template });
    await world.settle();
    objects.set("made", { physicalId: "made", tenant: "demo" });
    const { body } = await world.send("GET", "/_objects");
    expect(body).toMatchObject({
      objects: [],
      untold: [{ resource_type: "Example::Nameless" }],
    });
  });
});
