import { beforeAll, describe, expect, it } from "vitest";
import { at, createStack, openWorld, type World } from "./api-world.ts";
import { PROBES } from "./rest-probes.ts";

const template = {
  heat_template_version: "2018-08-31",
  resources: {
    value: { type: "OS::Heat::Value", properties: { value: "a" } },
    thing: { type: "OS::Heat::TestResource" },
  },
};

let world: World;
let path = "";
// No probe changes the stack, so all probes share one.
beforeAll(async () => {
  world = openWorld();
  path = await createStack(world, "app", { template });
  await world.settle();
});

describe("the API answers as Heat", () => {
  for (const { asks, body, status, says } of PROBES)
    it(`${asks} ${body === undefined ? "" : JSON.stringify(body).slice(0, 100)}`, async () => {
      const [method = "", url = ""] = asks.split(" ");
      const answer = await world.send(method, url.replace("~", path), body);
      expect(answer.status).toBe(status);
      const message = at(answer.body, "error", "message") ?? "";
      if (says !== undefined) expect(String(message).slice(0, says.length)).toBe(says);
      expect(world.unexpected).toEqual([]);
    });
});
