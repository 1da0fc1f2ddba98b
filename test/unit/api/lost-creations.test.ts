import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";
import { messageOf } from "./deployment-world.ts";
import { dyingWorker, TOKENLESS } from "./dying-worker.ts";

const LEASE_PASSED_MS = 100_000;

const template = (value: string): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: { lost: { type: TOKENLESS, properties: { value } } },
});

/** The dead worker's message is delivered again after its lease. */
const lost = async (options: JsonObject = {}, isNested = false) => {
  const { extend, died } = dyingWorker();
  const world = openWorld(extend);
  const path = await createStack(world, "app", { template: template("1"), ...options });
  const rootId = path.split("/").at(-1);
  const isVisit = ({ message }: (typeof world.queue.pending)[number]): boolean =>
    message.type === "check_resource" && (!isNested || message.stackId !== rootId);
  while (!world.queue.pending.some(isVisit)) await world.step();
  const visit = present(world.queue.pending.find(isVisit), "the visit");
  world.queue.pending.splice(world.queue.pending.indexOf(visit), 1);
  world.queue.pending.unshift({ ...visit, deliverAt: 0 });
  void world.step();
  await died;
  world.clock.advance(LEASE_PASSED_MS);
  world.queue.pending.push({ ...visit, deliverAt: world.clock.now() });
  await world.settle();
  return { world, path, made: present(world.fakeProvider.objects()[0], "object").physicalId };
};

const statusOf = async (world: World, path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

const resolve = (world: World, path: string, answer: JsonObject) =>
  world.send("POST", `${path}/resources/lost/resolve`, answer);

const objectsOf = ({ fakeProvider }: World) =>
  fakeProvider.objects().map(({ physicalId }) => physicalId);

const reasonsOf = async (world: World, path: string) =>
  listAt((await world.send("GET", `${path}/events`)).body, "events").map((event) =>
    at(event, "resource_status_reason"),
  );

describe("a creation whose outcome is unknown", () => {
  it("says so, and what to do", async () => {
    const { world, path } = await lost();
    expect(await statusOf(world, path)).toBe("CREATE_FAILED");
    const { body } = await world.send("GET", `${path}/resources/lost`);
    const reason = textAt(body, "resource", "resource_status_reason");
    expect(reason).toContain("outcome unknown");
    expect(reason).toContain("hearth stack resource resolve");
  });

  it("is not hidden by an update: it makes no second object", async () => {
    const { world, path, made } = await lost();
    await world.send("PUT", path, { template: template("2") });
    await world.settle();
    expect(await statusOf(world, path)).toBe("UPDATE_FAILED");
    expect(objectsOf(world)).toEqual([made]);
    expect((await resolve(world, path, { nothing_was_made: true })).status).toBe(200);
  });

  it("is not hidden by a rollback to nothing", async () => {
    const { world, path } = await lost({ disable_rollback: false });
    expect(await statusOf(world, path)).toBe("ROLLBACK_FAILED");
    const refused = await resolve(world, path, { retry: true });
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      expect.stringContaining("creates no lost: answer with --import or --nothing-was-made"),
    ]);
  });
});

describe("the answer", () => {
  it("is refused if the question that its user has seen is not the last one", async () => {
    const { world, path, made } = await lost();
    const shown = (await world.send("GET", `${path}/resources/lost`)).body;
    const basis = textAt(shown, "resource", "basis");
    await world.send("PUT", path, { template: template("2") });
    await world.settle();
    const answer = { import: made };
    const late = await world.send("POST", `${path}/resources/lost/resolve?basis=${basis}`, answer);
    expect([late.status, messageOf(late.body)]).toEqual([
      409,
      expect.stringContaining("has moved since this request was prepared: UPDATE began at"),
    ]);
    expect((await resolve(world, path, answer)).status).toBe(200);
  });

  it("import puts the object into service, and a delete removes it", async () => {
    const { world, path, made } = await lost();
    expect((await resolve(world, path, { import: made })).status).toBe(200);
    await world.send("PUT", path, { template: template("1") });
    await world.settle();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(objectsOf(world)).toEqual([made]);
    expect(await reasonsOf(world, path)).toContain(
      `Outcome resolved by a user: the object (${made}) was made`,
    );
    await world.send("DELETE", path);
    await world.settle();
    expect(objectsOf(world)).toEqual([]);
  });

  it("nothing was made lets the next update create another one", async () => {
    const { world, path, made } = await lost();
    expect((await resolve(world, path, { nothing_was_made: true })).status).toBe(200);
    await world.send("PUT", path, { template: template("1") });
    await world.settle();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(objectsOf(world)).toHaveLength(2);
    expect(objectsOf(world)).toContain(made);
  });

  it("retry creates it again at once", async () => {
    const { world, path } = await lost();
    expect((await resolve(world, path, { retry: true })).status).toBe(202);
    await world.settle();
    expect(await statusOf(world, path)).toBe("UPDATE_COMPLETE");
    expect(objectsOf(world)).toHaveLength(2);
  });

  it("is asked once, of a resource that exists, and has one of three forms", async () => {
    const { world, path } = await lost();
    const malformed = await resolve(world, path, { import: "x", retry: true });
    expect([malformed.status, messageOf(malformed.body)]).toEqual([
      400,
      expect.stringContaining('{"import": "ID"}'),
    ]);
    const unknown = await world.send("POST", `${path}/resources/other/resolve`, { retry: true });
    expect(unknown.status).toBe(404);
    await resolve(world, path, { nothing_was_made: true });
    const again = await resolve(world, path, { nothing_was_made: true });
    expect([again.status, messageOf(again.body)]).toEqual([
      409,
      expect.stringContaining("is known"),
    ]);
  });
});

describe("the delete of a stack with such a resource", () => {
  it("is refused, and says what to do", async () => {
    const { world, path, made } = await lost();
    const refused = await world.send("DELETE", path);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      "Stack app has resources whose creation may have made an object: lost. Say what is so with `hearth stack resource resolve`, or delete the stack with --force.",
    ]);
    expect(await statusOf(world, path)).toBe("CREATE_FAILED");
    expect(objectsOf(world)).toEqual([made]);
  });

  it("goes on by force and records what may remain", async () => {
    const { world, path, made } = await lost();
    expect((await world.send("DELETE", `${path}?force=true`)).status).toBe(204);
    await world.settle();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
    expect(objectsOf(world)).toEqual([made]);
    expect(await reasonsOf(world, path)).toContain(
      `Deleted by force without an answer: an object of ${TOKENLESS} may remain at its provider`,
    );
  });

  it("finds one in a nested stack too", async () => {
    const nested = {
      type: "OS::Heat::Stack",
      properties: { template: JSON.stringify(template("1")) },
    };
    const above = { heat_template_version: "2016-10-14", resources: { nested } };
    const { world, path } = await lost({ template: above }, true);
    expect(await statusOf(world, path)).toBe("CREATE_FAILED");
    expect((await world.send("DELETE", path)).status).toBe(409);
    expect((await world.send("DELETE", `${path}?force=true`)).status).toBe(204);
    await world.settle();
    expect(await statusOf(world, path)).toBe("DELETE_COMPLETE");
  });
});
