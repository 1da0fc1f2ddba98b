import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import {
  openProperties,
  openReference,
  sealProperties,
  sealReference,
} from "#lib/stack/record/reference.ts";
import { deleteTemplate, loadTemplate, saveTemplate } from "#lib/stack/record/template-record.ts";
import { sealedPlace } from "#lib/stack/stored-places.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { CFN, spoilt, WHOLE } from "#test/unit/stack/stored-documents.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";

const GOOD = { ...WHOLE, description: "a good one" };
const STORED = 2_000;
const LIVES = 120;

const made = async (world: World, name: string, template: JsonObject): Promise<string> => {
  const path = await createStack(world, name, { template });
  await world.settle();
  return path;
};

const stackAt = async ({ store }: World, path: string) =>
  store.getStack("demo", path.split("/").at(-1) ?? "");

/** Seals without the stored document, so that the texts can be opened beside another document. */
const sealAlone = async ({ ports }: World, stackId: string): Promise<void> => {
  for (const row of await ports.store.listResources(stackId)) {
    const { properties } = row;
    const reference = await sealReference(ports, row, await openReference(ports, row), null);
    const opened = properties === null ? null : await openProperties(ports, row, properties);
    const sealed = opened === null ? null : await sealProperties(ports, row, opened, null);
    const set = { properties: sealed, reference: row.reference === null ? null : reference };
    await ports.store.writeResource(row, [], { set });
  }
};

const store = async (world: World, path: string, template: JsonObject): Promise<void> => {
  const { ports } = world;
  const stack = await stackAt(world, path);
  if (stack === null) throw new Error("there is no stack");
  const { source } = await loadTemplate(ports, "demo", stack.id, stack.templateId);
  await sealAlone(world, stack.id);
  await deleteTemplate(ports, stack.id, stack.templateId);
  const text = JSON.stringify({ ...source, template });
  const key = `template/${stack.id}/${stack.templateId}`;
  const place = sealedPlace({ tenant: "demo", stackId: stack.id }, "blobs", key);
  await ports.blobs.put(key, await ports.cipher.seal(place, text));
};

const PARTS = ["", "/template", "/environment", "/files", "/resources", "/outputs", "/diagnosis"];

const read = async (world: World, path: string): Promise<void> => {
  for (const url of [...PARTS.map((part) => path + part), `${path}/export`, "/stacks/detail"]) {
    expect([url, (await world.send("GET", url)).status]).toEqual([url, 200]);
  }
};

const statusOf = async (world: World, path: string) =>
  at((await world.send("GET", path)).body, "stack", "stack_status");

/** Version 0.1.0 accepted this pattern, because its patterns were JavaScript's. */
const PATTERN = mergedMaps<Json>(WHOLE, {
  parameters: mergedMaps<Json>(sectionOf(WHOLE, "parameters"), {
    word: { type: "string", default: "abc", constraints: [{ allowed_pattern: "\\p{L}+" }] },
  }),
});

describe("a stored template that today's rules refuse", () => {
  it("is read whole but for what they refuse, and keeps its values", async () => {
    const world = openWorld();
    const path = await made(world, "app", WHOLE);
    const before = await world.send("GET", path);
    await store(world, path, PATTERN);
    await read(world, path);
    expect((await world.send("GET", path)).body).toEqual(before.body);
    expect((await world.send("GET", `${path}/template`)).body).toEqual(PATTERN);
    const { body } = await world.send("GET", `${path}/export`);
    expect(Object.keys(sectionOf(isJsonObject(body) ? body : {}, "resources"))).toEqual([
      "thing",
      "other",
      "text",
    ]);
  });

  it("is refused as a request, and a good one takes its place without a change", async () => {
    const world = openWorld();
    const path = await made(world, "app", WHOLE);
    await store(world, path, PATTERN);
    const patched = await world.send("PATCH", path, { parameters: { size: 3 } });
    expect(patched.status).toBe(400);
    expect(textAt(patched.body, "error", "message")).toContain("\\p{L}+");
    expect((await world.send("PUT", path, { template: PATTERN })).status).toBe(400);
    const before = await world.fakeProvider.list();
    expect((await world.send("PUT", path, { template: WHOLE })).status).toBe(202);
    await world.settle();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(await world.fakeProvider.list()).toEqual(before);
  });

  it.each(["delete", "abandon", "check"])("lets the user %s the stack", async (action) => {
    const world = openWorld();
    const path = await made(world, "app", WHOLE);
    const before = await world.fakeProvider.list();
    await store(world, path, PATTERN);
    if (action === "check") {
      await world.send("POST", `${path}/actions`, { check: null });
      await world.settle();
      expect(await statusOf(world, path)).toBe("CHECK_COMPLETE");
      return;
    }
    const url = action === "delete" ? path : `${path}/abandon`;
    const { body } = await world.send("DELETE", url);
    await world.settle();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await world.fakeProvider.list()).toEqual(action === "delete" ? [] : before);
    if (action === "abandon") {
      expect(textAt(body, "resources", "thing", "resource_id")).toBe(before[0]?.physicalId);
    }
  });

  it("says of a resource that it is unknown, and changes nothing on its account", async () => {
    const world = openWorld();
    const path = await made(world, "app", WHOLE);
    const resources = mergedMaps<Json>(sectionOf(WHOLE, "resources"), {
      thing: { type: "OS::Heat::TestResource", properties: { value: "b" }, wrong_key: 1 },
    });
    await store(world, path, mergedMaps<Json>(WHOLE, { resources, outputs: { value: 7 } }));
    await read(world, path);
    const { body } = await world.send("GET", `${path}/resources`);
    const names = listAt(body, "resources").map((one) => textAt(one, "resource_name"));
    expect(names).toEqual(["thing", "other", "text"]);
    const output = listAt((await world.send("GET", path)).body, "stack", "outputs")[0];
    expect(textAt(output ?? null, "output_error")).toContain("cannot read the stored output");
    const before = await world.fakeProvider.list();
    await world.send("POST", `${path}/actions`, { suspend: null });
    await world.settle();
    await world.send("POST", `${path}/actions`, { resume: null });
    await world.settle();
    expect(await world.fakeProvider.list()).toEqual(before);
  });
});

describe("any stored document", () => {
  it(`is read: ${STORED} spoilt ones`, async () => {
    const world = openWorld();
    for (let seed = 0; seed < STORED; seed += 1) {
      const template = spoilt(seed % 4 === 0 ? CFN : WHOLE, seed);
      const environment = { parameters: {}, parameterDefaults: {}, resourceRegistry: {} };
      const id = `t${seed}`;
      try {
        await saveTemplate(world.ports, "demo", "s", id, { template, files: {}, environment });
        await loadTemplate(world.ports, "demo", "s", id);
      } catch (cause) {
        throw new Error(`seed ${seed}: ${JSON.stringify(template)}`, { cause });
      }
    }
  }, 120_000);

  it(`lets its stack be read, and deleted or put right: ${LIVES} lives`, async () => {
    const world = openWorld();
    for (let seed = 0; seed < LIVES; seed += 1) {
      const first = seed % 4 === 0 ? CFN : WHOLE;
      const path = await made(world, `app-${seed}`, first);
      const document = spoilt(first, seed);
      try {
        await store(world, path, document);
        await read(world, path);
        if (seed % 3 === 0) {
          expect((await world.send("PUT", path, { template: GOOD })).status).toBe(202);
          await world.settle();
          expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
        }
        const { status, body } = await world.send(
          "DELETE",
          `${path}${seed % 3 === 1 ? "/abandon" : ""}`,
        );
        expect(status).toBe(seed % 3 === 1 ? 200 : 204);
        if (seed % 3 === 1 && isJsonObject(document["resources"] ?? null)) {
          const thing = sectionOf(document, "resources", "thing");
          const hasThing = isJsonObject(thing) && at(document, "resources", "thing") !== undefined;
          if (hasThing) expect(at(body, "resources", "thing", "resource_id")).not.toBe(undefined);
        }
        await world.settle();
        expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
      } catch (cause) {
        throw new Error(`seed ${seed}: ${JSON.stringify(document)}`, { cause });
      }
      expect(world.unexpected).toEqual([]);
    }
  }, 120_000);
});

it("one stack that cannot be read at all spoils no list", async () => {
  const world = openWorld();
  const path = await made(world, "app", WHOLE);
  await made(world, "other", WHOLE);
  const stack = await stackAt(world, path);
  const key = `template/${stack?.id}/${stack?.templateId}`;
  await deleteTemplate(world.ports, stack?.id ?? "", stack?.templateId ?? "");
  await world.ports.blobs.put(key, "no sealed text");
  const { status, body } = await world.send("GET", "/stacks/detail");
  expect(status).toBe(200);
  const listed = listAt(body, "stacks");
  const [other, broken] = ["other", "app"].map((name) =>
    listed.find((one) => at(one, "stack_name") === name),
  );
  expect(other).toMatchObject({ stack_name: "other", description: "all sections" });
  expect(broken).toMatchObject({
    stack_name: "app",
    stack_status: "CREATE_COMPLETE",
    description: "The template of this stack cannot be read.",
  });
});
