import { beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { route } from "#lib/api/route.ts";
import { openWorld, SETTINGS, type World } from "./api-world.ts";

const TEMPLATE = { heat_template_version: "2021-04-16" };
const STACK = JSON.stringify({ stack_name: "app", template: TEMPLATE, timeout_mins: 5 });

const shownStack = z.object({ stack: z.object({ actor: z.string().optional() }) });
const shownEvents = z.object({
  events: z.array(
    z.object({
      resource_status: z.string(),
      resource_status_reason: z.string(),
      actor: z.string().optional(),
    }),
  ),
});

let world: World;
beforeEach(() => {
  world = openWorld();
});

const sendAs = async (
  actor: string | null,
  method: string,
  path: string,
  body: string | null = null,
) => {
  const request = { method, path, query: {}, body, ...(actor === null ? {} : { actor }) };
  const answer = await route(world.ports, SETTINGS, { ...request, tenant: "demo" }, (error) => {
    throw error;
  });
  await world.settle();
  return answer;
};

it.each<[string, string, string, string | null]>([
  ["UPDATE", "PUT", "", STACK],
  ["UPDATE", "PATCH", "", STACK],
  ["SUSPEND", "POST", "/actions", '{"suspend": null}'],
  ["CHECK", "POST", "/actions", '{"check": null}'],
  ["SNAPSHOT", "POST", "/snapshots", '{"name": "one"}'],
  ["DELETE", "DELETE", "", null],
])("names who asks for %s by %s%s", async (action, method, below, body) => {
  const { headers } = await sendAs("token:0123456789ab", "POST", "/v1/demo/stacks", STACK);
  const path = new URL(headers["Location"] ?? "").pathname;
  const stackNow = async () =>
    shownStack.parse(JSON.parse((await sendAs(null, "GET", path)).body ?? "")).stack.actor;
  expect(await stackNow()).toBe("token:0123456789ab");
  await sendAs("iam:role/operators", method, `${path}${below}`, body);
  expect(await stackNow()).toBe("iam:role/operators");
  const list = await sendAs(null, "GET", `${path}/events`);
  const { events } = shownEvents.parse(JSON.parse(list.body ?? ""));
  const told = events.toReversed().filter(({ actor }) => actor !== undefined);
  expect(told).toEqual([
    {
      resource_status: "CREATE_IN_PROGRESS",
      resource_status_reason: "Stack CREATE started",
      actor: "token:0123456789ab",
    },
    {
      resource_status: `${action}_IN_PROGRESS`,
      resource_status_reason: `Stack ${action} started`,
      actor: "iam:role/operators",
    },
  ]);
});

it("names nobody where no credential was needed", async () => {
  const { headers } = await sendAs(null, "POST", "/v1/demo/stacks", STACK);
  const path = new URL(headers["Location"] ?? "").pathname;
  for (const shown of [path, `${path}/events`])
    expect((await sendAs(null, "GET", shown)).body).not.toContain("actor");
});
