import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";

const template = (value: string): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: {
    kept: { type: "string", default: "d1" },
    changed: { type: "string", default: "d2" },
    fixed: { type: "string", default: "f", immutable: true },
  },
  resources: { thing: { type: "OS::Heat::TestResource", properties: { value } } },
  outputs: { value: { value: { get_attr: ["thing", "output"] } } },
});

const withParameters = (names: readonly string[]): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: Object.fromEntries(names.map((name) => [name, { type: "string", default: "old" }])),
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const show = async (path: string) => (await world.send("GET", path)).body;
const state = async (path: string) => textAt(await show(path), "stack", "stack_status");

describe("updating a stack", () => {
  it("answers 202 and reaches the new target", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    const { status, body } = await world.send("PUT", path, { template: template("two") });
    expect(status).toBe(202);
    expect(body).toEqual({});
    expect(await state(path)).toBe("UPDATE_IN_PROGRESS");
    await world.settle();
    expect(await state(path)).toBe("UPDATE_COMPLETE");
    expect(at(await show(path), "stack", "outputs", 0, "output_value")).toBe("two");
  });

  it("is accepted while another update runs, and overtakes it", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.step();
    expect((await world.send("PUT", path, { template: template("two") })).status).toBe(202);
    await world.step();
    expect((await world.send("PUT", path, { template: template("three") })).status).toBe(202);
    await world.settle();
    expect(await state(path)).toBe("UPDATE_COMPLETE");
    expect(at(await show(path), "stack", "outputs", 0, "output_value")).toBe("three");
  });

  it("accepts twenty updates at once, and reaches the target of the last", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    const accepted: string[] = [];
    const values = Array.from({ length: 20 }, (_, at) => `value-${at}`);
    const answers = await Promise.all(
      values.map(async (value) => {
        const answer = await world.send("PUT", path, { template: template(value) });
        accepted.push(value);
        return answer.status;
      }),
    );
    expect(new Set(answers)).toEqual(new Set([202]));
    await world.settle();
    expect(await state(path)).toBe("UPDATE_COMPLETE");
    expect(at(await show(path), "stack", "outputs", 0, "output_value")).toBe(accepted.at(-1));
  });

  it("gives effect to all of several PATCH requests at once", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const path = await createStack(world, "app", { template: withParameters(names) });
    await world.settle();
    const answers = await Promise.all(
      names.map((name) => world.send("PATCH", path, { parameters: { [name]: `new ${name}` } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 202));
    await world.settle();
    expect(await state(path)).toBe("UPDATE_COMPLETE");
    const body = await show(path);
    for (const name of names) expect(at(body, "stack", "parameters", name)).toBe(`new ${name}`);
  });

  it("refuses an update that a delete was faster than", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    const [removed, updated] = await Promise.all([
      world.send("DELETE", path),
      world.send("PUT", path, { template: template("two") }),
    ]);
    expect([removed.status, updated.status]).toEqual([204, 400]);
  });

  it("replaces everything with PUT, so parameters return to their defaults", async () => {
    const path = await createStack(world, "app", {
      template: template("one"),
      parameters: { kept: "k" },
      tags: "a",
    });
    await world.settle();
    await world.send("PUT", path, { template: template("one") });
    const body = await show(path);
    expect(at(body, "stack", "parameters", "kept")).toBe("d1");
    expect(at(body, "stack", "tags")).toEqual([]);
  });

  it("keeps with PATCH what the request leaves out", async () => {
    const path = await createStack(world, "app", {
      template: template("one"),
      parameters: { kept: "k", changed: "c" },
      tags: "a",
      timeout_mins: 7,
      disable_rollback: false,
    });
    await world.settle();
    const { status } = await world.send("PATCH", path, {
      template: null,
      parameters: { changed: "n" },
    });
    expect(status).toBe(202);
    const body = await show(path);
    expect(at(body, "stack", "parameters")).toMatchObject({ kept: "k", changed: "n" });
    expect(at(body, "stack")).toMatchObject({
      tags: ["a"],
      timeout_mins: 7,
      disable_rollback: false,
    });
  });

  it("drops with PATCH the parameters to clear and those that the new template lacks", async () => {
    const path = await createStack(world, "app", {
      template: template("one"),
      parameters: { kept: "k", changed: "c" },
    });
    await world.settle();
    await world.send("PATCH", path, { clear_parameters: ["kept"] });
    expect(at(await show(path), "stack", "parameters", "kept")).toBe("d1");
    await world.settle();
    const other = { heat_template_version: "2016-10-14", resources: {} };
    expect((await world.send("PATCH", path, { template: other })).status).toBe(202);
  });

  it("refuses to change an immutable parameter", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    const { status, body } = await world.send("PATCH", path, { parameters: { fixed: "g" } });
    expect(status).toBe(400);
    expect(at(body, "error")).toEqual({
      type: "ImmutableParameterModified",
      message: "The following parameters are immutable and may not be updated: fixed",
      traceback: null,
    });
  });

  it("needs a template with PUT", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    const { status, body } = await world.send("PUT", path, {});
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe("No template specified");
  });

  it("is refused while the stack is being deleted", async () => {
    const path = await createStack(world, "app", { template: template("one") });
    await world.settle();
    await world.send("DELETE", path);
    const { status, body } = await world.send("PUT", path, { template: template("two") });
    expect(status).toBe(400);
    expect(at(body, "error")).toMatchObject({
      type: "NotSupported",
      message: "Updating a stack when it is deleting is not supported.",
    });
  });
});
