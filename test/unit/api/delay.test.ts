import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { at, createStack, openWorld } from "./api-world.ts";
import { state } from "./nested-templates.ts";

const template = (properties: JsonObject, word = "a") => ({
  heat_template_version: "2021-04-16",
  resources: {
    before: { type: "OS::Heat::Value", properties: { value: word } },
    delay: { type: "OS::Heat::Delay", depends_on: "before", properties },
    after: { type: "OS::Heat::Value", depends_on: "delay", properties: { value: 1 } },
  },
});

describe("a delay in a stack", () => {
  it("pauses once for each of its actions, and for no other", async () => {
    const world = openWorld();
    const given = { template: template({ min_wait: 600, actions: ["CREATE", "DELETE"] }) };
    const timed = async (expected: string, path: string): Promise<number> => {
      const began = world.clock.now();
      await world.settle();
      expect(await state(world, path)).toBe(expected);
      return Math.round((world.clock.now() - began) / 1_000);
    };
    const path = await createStack(world, "app", given);
    expect(await timed("CREATE_COMPLETE", path)).toBeGreaterThanOrEqual(600);
    const same = template({ min_wait: 600, actions: ["CREATE", "DELETE"] }, "b");
    await world.send("PUT", path, { template: same });
    expect(await timed("UPDATE_COMPLETE", path)).toBeLessThan(600);
    for (const action of ["suspend", "resume"]) {
      await world.send("POST", `${path}/actions`, { [action]: null });
      expect(await timed(`${action.toUpperCase()}_COMPLETE`, path)).toBeLessThan(600);
    }
    await world.send("DELETE", path);
    expect(await timed("DELETE_COMPLETE", path)).toBeGreaterThanOrEqual(600);
  });

  it("does not hold up an update that overtakes its pause", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", { template: template({ min_wait: 3_000 }) });
    const isDue = () => world.queue.pending.some(({ deliverAt }) => deliverAt <= world.clock.now());
    while (isDue() && (await world.step()));
    const { body } = await world.send("GET", `${path}/resources/delay`);
    expect(at(body, "resource", "resource_status")).toBe("CREATE_IN_PROGRESS");
    await world.send("PUT", path, { template: template({ min_wait: 1 }) });
    const began = world.clock.now();
    while ((await state(world, path)) === "UPDATE_IN_PROGRESS" && (await world.step()));
    expect(await state(world, path)).toBe("UPDATE_COMPLETE");
    expect(world.clock.now() - began).toBeLessThan(60_000);
    await world.settle();
    expect(world.unexpected).toEqual([]);
  });

  it("is refused where it may outlast the stack, and in a nested template it is not", async () => {
    const world = openWorld();
    const long = { min_wait: 7_000 };
    const body = { stack_name: "bad", template: template(long) };
    const refusal = "OS::Heat::Delay maximum delay 7000.0s exceeds stack timeout.";
    for (const route of ["/stacks", "/stacks/preview"]) {
      const refused = await world.send("POST", route, body);
      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.body)).toContain(refusal);
    }
    const path = await createStack(world, "app", { template: template(long), timeout_mins: 120 });
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    const child = { type: "OS::Heat::Stack", properties: { template: "" } };
    const above = (text: string) => ({
      heat_template_version: "2021-04-16",
      resources: { child: { ...child, properties: { template: text } } },
    });
    const nested = JSON.stringify(template(long));
    await createStack(world, "top", { template: above(nested), timeout_mins: 60 });
  });
});

describe("an access policy in a stack", () => {
  it("names resources of its own template only", async () => {
    const world = openWorld();
    const given = (name: string) => ({
      stack_name: "app",
      template: {
        heat_template_version: "2021-04-16",
        resources: {
          policy: { type: "OS::Heat::AccessPolicy", properties: { AllowedResources: [name] } },
          "no.value": { type: "OS::Heat::Value", properties: { value: 1 } },
        },
        outputs: { name: { value: { get_resource: "policy" } } },
      },
    });
    const refused = await world.send("POST", "/stacks", given("other"));
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("AccessPolicy resource other not in stack");
    const path = await createStack(world, "app", given("no.value"));
    await world.settle();
    expect(await state(world, path)).toBe("CREATE_COMPLETE");
    expect(JSON.stringify((await world.send("GET", path)).body)).toContain('"policy"');
  });
});
