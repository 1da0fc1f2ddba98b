import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { createStack, listAt, openWorld, textAt, type World } from "./api-world.ts";
import { messageOf, waitingDeployment } from "./deployment-world.ts";

const SLOW = { wait_secs: 3_600 };
const template = (properties: JsonObject): JsonObject => ({
  template: {
    heat_template_version: "2016-10-14",
    resources: { a: { type: "OS::Heat::TestResource", properties } },
  },
});

let world: World;
let path: string;
beforeEach(async () => {
  world = openWorld();
  path = await createStack(world, "app", template({}));
  await world.settle();
});

const basis = async (): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "basis");
const status = async (): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

const update = async (properties: JsonObject): Promise<void> => {
  expect((await world.send("PUT", path, template(properties))).status).toBe(202);
};

const MOVED = /^The stack app has moved since this request was prepared: .*Nothing was changed\./;

const ACTIONS = [
  ["suspend", "SUSPEND_COMPLETE"],
  ["check", "CHECK_COMPLETE"],
] as const;

describe("a request on the stack as it was", () => {
  it.each(ACTIONS)(
    "%s is refused after another operation, and begins on the basis of now",
    async (action, reached) => {
      const before = await basis();
      await update({ value: "2" });
      await world.settle();
      const asked = (on: string) =>
        world.send("POST", `${path}/actions?basis=${on}`, { [action]: null });
      const late = await asked(before);
      expect([late.status, textAt(late.body, "error", "type")]).toEqual([409, "StackMoved"]);
      expect(messageOf(late.body)).toMatch(MOVED);
      expect(messageOf(late.body)).toMatch(/UPDATE began at \S+Z and is COMPLETE/);
      expect(await status()).toBe("UPDATE_COMPLETE");
      expect((await asked(await basis())).status).toBe(200);
      await world.settle();
      expect(await status()).toBe(reached);
    },
  );

  it("resume is refused too", async () => {
    await world.send("POST", `${path}/actions`, { suspend: null });
    await world.settle();
    const before = await basis();
    await world.send("POST", `${path}/actions`, { resume: null });
    await world.settle();
    await world.send("POST", `${path}/actions`, { suspend: null });
    await world.settle();
    const late = await world.send("POST", `${path}/actions?basis=${before}`, { resume: null });
    expect(messageOf(late.body)).toMatch(MOVED);
    expect(await status()).toBe("SUSPEND_COMPLETE");
  });

  it.each(["cancel_update", "cancel_without_rollback"])(
    "%s cancels the update that was shown, and no newer one",
    async (action) => {
      await update({ value: "2", ...SLOW });
      const before = await basis();
      await update({ value: "3", ...SLOW });
      const cancel = (on: string) =>
        world.send("POST", `${path}/actions?basis=${on}`, { [action]: null });
      expect(messageOf((await cancel(before)).body)).toMatch(MOVED);
      expect(await status()).toBe("UPDATE_IN_PROGRESS");
      const now = await basis();
      // The visits of the same operation do not move the stack.
      for (let visits = 0; visits < 3; visits += 1) await world.step();
      expect((await cancel(now)).status).toBe(200);
    },
  );

  it("a delete is refused, even by force", async () => {
    const before = await basis();
    await update({ value: "2" });
    await world.settle();
    for (const more of ["", "&force=true"]) {
      const late = await world.send("DELETE", `${path}?basis=${before}${more}`);
      expect([late.status, messageOf(late.body)]).toEqual([409, expect.stringMatching(MOVED)]);
    }
    expect(await status()).toBe("UPDATE_COMPLETE");
    expect((await world.send("DELETE", `${path}?basis=${await basis()}`)).status).toBe(204);
  });
});

describe("a preview", () => {
  const preview = async (on: string) =>
    (await world.send("PUT", `${path}/preview?basis=${on}`, template({ value: "3" }))).body;

  it("warns if the stack has moved since its template was read", async () => {
    const before = await basis();
    expect(listAt(await preview(before), "warnings")).toEqual([]);
    await update({ value: "2" });
    await world.settle();
    expect(listAt(await preview(before), "warnings")).toEqual([
      expect.stringContaining("has moved since this request was prepared: UPDATE began at"),
    ]);
  });

  it("has a basis that a marked resource changes, and the refusal names the resource", async () => {
    const planned = textAt(await preview(await basis()), "basis");
    world.clock.advance(1_000);
    const marked = await world.send("PATCH", `${path}/resources/a`, { mark_unhealthy: true });
    expect(marked.status).toBe(200);
    const late = await world.send("PUT", `${path}?basis=${planned}`, template({ value: "3" }));
    expect(messageOf(late.body)).toMatch(/the newest change is of \S+Z: a is CHECK_FAILED/);
    // The stack itself has had no other operation.
    expect((await world.send("DELETE", `${path}?basis=${await basis()}`)).status).toBe(204);
  });
});

describe("a request on the deployment as it was", () => {
  it("is refused once the deployment was delivered anew", async () => {
    const site = await waitingDeployment();
    const diagnosis = await site.world.send("GET", `${site.url}/diagnosis`);
    const before = textAt(diagnosis.body, "diagnosis", "config_id");
    expect((await site.world.send("POST", `${site.url}/retry?basis=${before}`)).status).toBe(202);
    const late = [
      await site.world.send("POST", `${site.url}/retry?basis=${before}`),
      await site.world.send("POST", `${site.url}/stop?basis=${before}`),
      await site.world.send("POST", `${site.url}/run_again?basis=${before}`),
      await site.world.send("PUT", `${site.url}?basis=${before}`, { status: "COMPLETE" }),
    ];
    for (const { status: code, body } of late) {
      expect([code, textAt(body, "error", "type")]).toEqual([409, "DeploymentMoved"]);
      expect(messageOf(body)).toContain("it was delivered anew");
    }
    expect(await site.show()).toMatchObject({ status: "IN_PROGRESS" });
    expect(await site.stackStatus()).toBe("CREATE_IN_PROGRESS");
  });
});
