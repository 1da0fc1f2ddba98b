import { describe, expect, it } from "vitest";
import { handler as apiHandler } from "#functions/api/handler.ts";
import { ANSWER_BYTES_MAX, withinAnswerLimit } from "#functions/cloud/answer-limit.ts";
import { lambdaContext, proxyEvent } from "../../../cli/serve/lambda-events.ts";
import { createStack, openWorld } from "../api/api-world.ts";

const CONTEXT = lambdaContext("api", 29_000);
const answering = (body: string) =>
  withinAnswerLimit(async () => ({ statusCode: 200, headers: { ETag: "e" }, body }))({}, CONTEXT);

describe("an answer's way through Lambda", () => {
  it.each([
    ["small", "{}"],
    ["large", "x".repeat(ANSWER_BYTES_MAX - 1_000)],
    ["full of quotes", '"'.repeat(ANSWER_BYTES_MAX / 2 - 1_000)],
  ])("is free for what is %s", async (_, body) => {
    expect(await answering(body)).toMatchObject({ statusCode: 200, body });
  });

  it.each([
    ["large", "x".repeat(ANSWER_BYTES_MAX)],
    ["full of quotes", '"'.repeat(ANSWER_BYTES_MAX / 2)],
    ["far from ASCII", "\u{1f525}".repeat(ANSWER_BYTES_MAX / 4)],
  ])("ends in words for what is too %s", async (_, body) => {
    const answer = await answering(body);
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { type: "RequestLimitExceeded" } });
  });

  it("is open to the events of a large stack page by page, and not to all at once", async () => {
    const world = openWorld();
    const path = await createStack(world, "app", {
      template: { heat_template_version: "2016-10-14" },
    });
    await world.settle();
    const [stack] = await world.store.listStacks("demo");
    const events = Array.from({ length: 10_000 }, (__, at) => ({
      ...{ id: `event-${at}`, tenant: "demo", stackId: stack?.id ?? "", time: at },
      ...{
        resourceName: `resource-${at}`,
        resourceType: "OS::Heat::None",
        reason: "state changed",
      },
      ...{ physicalResourceId: "", resourceAction: "CREATE", resourceStatus: "COMPLETE" as const },
    }));
    await world.ports.store.putEvents(stack?.id ?? "", events);
    const api = withinAnswerLimit(apiHandler(world.ports));
    const list = (search: string) => {
      const bare = { method: "GET", headers: {}, pathParameters: {}, body: null };
      const query = new URLSearchParams(search);
      return api(proxyEvent({ ...bare, path: `/v1/demo${path}/events`, search: query }), CONTEXT);
    };
    expect((await list("")).statusCode).toBe(400);
    const page = await list("limit=1000&marker=event-4999");
    expect(JSON.parse(page.body).events).toHaveLength(1_000);
  });
});
