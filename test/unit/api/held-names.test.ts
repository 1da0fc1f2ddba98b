/** An update needs a new object under a name that the old object still has. */
import { describe, expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import type { Answer, ProvidedType } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { createStack, listAt, openWorld, textAt } from "./api-world.ts";

const DATABASE = "My::Database";

/** `encoding` never changes in place. `owner` does, unless it is "root". */
const openDatabases = () => {
  const objects = new Map<string, JsonObject>();
  const creations: string[] = [];
  let made = 0;
  const database: ProvidedType = {
    description: "A database, whose name nobody else has.",
    properties: {
      name: { type: "string" },
      encoding: { type: "string" },
      owner: { type: "string", updateAllowed: true },
    },
    uniqueBy: ["name"],
    tokens: "kept",
    create: async ({ properties }) => {
      made += 1;
      const name = String(properties["name"] ?? `made-${made}`);
      creations.push(name);
      if (objects.has(name)) return { state: "failed", reason: `${name} exists already` };
      if (properties["encoding"] === "bad") return { state: "failed", reason: "no such encoding" };
      objects.set(name, properties);
      return { state: "finished", physicalId: name };
    },
    update: async ({ physicalId, properties }): Promise<Answer> => {
      if (!objects.has(physicalId)) return { state: "gone" };
      if (properties["owner"] === "root") return { state: "replace" };
      objects.set(physicalId, properties);
      return { state: "finished" };
    },
    repairable: true,
    delete: async ({ physicalId }) => {
      objects.delete(physicalId);
      return { state: "finished" };
    },
    check: async ({ physicalId }) => ({ state: objects.has(physicalId) ? "finished" : "gone" }),
  };
  const provider = { provider: 2, name: "databases", types: { [DATABASE]: database } };
  const type = present(readProvider(provider).types[DATABASE], DATABASE);
  return { objects, creations, type };
};

const template = (properties: JsonObject): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: { data: { type: DATABASE, properties } },
});

const openStack = async (properties: JsonObject) => {
  const { objects, creations, type } = openDatabases();
  const source = { provider: "databases", name: DATABASE, type, limit: callLimit(), now: Date.now };
  const world = openWorld(undefined, {
    types: [providedType(source)],
    formerProvider: () => null,
  });
  const path = await createStack(world, "app", { template: template(properties) });
  await world.settle();
  const status = async () => textAt((await world.send("GET", path)).body, "stack", "stack_status");
  const send = async (method: string, rest: string, body: JsonObject) => {
    await world.send(method, `${path}${rest}`, body);
    await world.settle();
    return status();
  };
  const update = (given: JsonObject) => send("PUT", "", { template: template(given) });
  const act = (verb: string) => send("POST", "/actions", { [verb]: null });
  const preview = async (given: JsonObject) => {
    const body = { template: template(given) };
    const found = (await world.send("PUT", `${path}/preview`, body)).body;
    const [replaced] = listAt(found, "resource_changes", "replaced");
    const [updated] = listAt(found, "resource_changes", "updated");
    const [unchanged] = listAt(found, "resource_changes", "unchanged");
    const first = replaced ?? updated ?? unchanged ?? null;
    return first === null ? "" : textAt(first, "change", "reason");
  };
  const mark = () =>
    send("PATCH", "/resources/data", {
      mark_unhealthy: true,
      resource_status_reason: "it is slow",
    });
  const reason = async () =>
    textAt(
      (await world.send("GET", `${path}/resources/data`)).body,
      "resource",
      "resource_status_reason",
    );
  creations.length = 0;
  return { objects, creations, update, act, preview, reason, mark };
};

const FIRST = { name: "orders", encoding: "utf8", owner: "anna" };
const HELD =
  "NotSupported: resources.data: another object must take the place of this one, and two cannot have the same name. Nothing has been changed. Give it another name.";

describe("a replacement that would have the name of the old object", () => {
  it("is refused before its provider is called, as the preview has said", async () => {
    const { objects, creations, update, preview, reason } = await openStack(FIRST);
    const wanted = { ...FIRST, encoding: "latin1" };
    const [, told = ""] = (await preview(wanted)).split("it fails: ");
    expect(told).toContain(HELD);
    expect(told).toContain("Or take back the change of encoding");
    expect(await update(wanted)).toBe("UPDATE_FAILED");
    expect(await reason()).toBe(told);
    expect(creations).toEqual([]);
    expect([...objects]).toEqual([["orders", FIRST]]);
  });

  it("is no dead end: the former template, and another name, both succeed", async () => {
    const { objects, update } = await openStack(FIRST);
    await update({ ...FIRST, encoding: "latin1" });
    expect(await update(FIRST)).toBe("UPDATE_COMPLETE");
    await update({ ...FIRST, encoding: "latin1" });
    const renamed = { ...FIRST, name: "orders-2", encoding: "latin1" };
    expect(await update(renamed)).toBe("UPDATE_COMPLETE");
    expect([...objects]).toEqual([["orders-2", renamed]]);
  });

  it("goes on where a check has found the old object gone", async () => {
    const { objects, act, update } = await openStack(FIRST);
    objects.clear();
    expect(await act("check")).toBe("CHECK_FAILED");
    const wanted = { ...FIRST, encoding: "latin1" };
    expect(await update(wanted)).toBe("UPDATE_COMPLETE");
    expect([...objects]).toEqual([["orders", wanted]]);
  });

  it("goes on where the provider chooses the name", async () => {
    const { objects, update } = await openStack({ encoding: "utf8" });
    expect(await update({ encoding: "latin1" })).toBe("UPDATE_COMPLETE");
    expect([...objects.values()]).toEqual([{ encoding: "latin1" }]);
  });

  it("is refused where a user has marked the object", async () => {
    const { objects, creations, update, mark, reason } = await openStack(FIRST);
    await mark();
    expect(await update(FIRST)).toBe("UPDATE_FAILED");
    expect(await reason()).toContain(HELD);
    expect([...objects.keys()]).toEqual(["orders"]);
    expect(creations).toEqual([]);
  });

  it("is refused where only its provider finds that it is due", async () => {
    const { objects, creations, update, reason } = await openStack(FIRST);
    expect(await update({ ...FIRST, owner: "root" })).toBe("UPDATE_FAILED");
    expect(await reason()).toContain(HELD);
    expect(creations).toEqual([]);
    expect(await update({ ...FIRST, owner: "bob" })).toBe("UPDATE_COMPLETE");
    expect([...objects]).toEqual([["orders", { ...FIRST, owner: "bob" }]]);
  });

  it("goes on where its provider finds in the update that the old object is gone", async () => {
    const { objects, update } = await openStack(FIRST);
    objects.clear();
    const wanted = { ...FIRST, owner: "bob" };
    expect(await update(wanted)).toBe("UPDATE_COMPLETE");
    expect([...objects]).toEqual([["orders", wanted]]);
  });
});

describe("a creation that has failed", () => {
  it("is tried again under its name", async () => {
    const { objects, update } = await openStack({ ...FIRST, encoding: "bad" });
    expect(await update(FIRST)).toBe("UPDATE_COMPLETE");
    expect([...objects.keys()]).toEqual(["orders"]);
  });

  it("of a renamed object lets the former name come back", async () => {
    const { objects, update } = await openStack(FIRST);
    expect(await update({ ...FIRST, name: "orders-2", encoding: "bad" })).toBe("UPDATE_FAILED");
    expect([...objects.keys()]).toEqual(["orders"]);
    expect(await update(FIRST)).toBe("UPDATE_COMPLETE");
    expect([...objects]).toEqual([["orders", FIRST]]);
  });

  it("of a renamed object lets the former name change no encoding either", async () => {
    const { objects, update, reason } = await openStack(FIRST);
    await update({ ...FIRST, name: "orders-2", encoding: "bad" });
    expect(await update({ ...FIRST, encoding: "latin1" })).toBe("UPDATE_FAILED");
    expect(await reason()).toContain(HELD);
    expect([...objects]).toEqual([["orders", FIRST]]);
  });
});
