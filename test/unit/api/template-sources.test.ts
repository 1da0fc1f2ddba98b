import { describe, expect, it } from "vitest";
import type { ApiSettings } from "#lib/api/context.ts";
import { route } from "#lib/api/route.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { at, openWorld, SETTINGS } from "./api-world.ts";

type FetchTemplate = NonNullable<ApiSettings["fetchTemplate"]>;

const TEMPLATE: JsonObject = {
  heat_template_version: "2018-08-31",
  resources: { one: { type: "OS::Heat::None" } },
};
const URL = "https://templates.example.com/one.yaml";

const ROUTES = [
  ["POST", "/stacks"],
  ["POST", "/stacks/preview"],
  ["POST", "/validate"],
] as const;

const refusal = async (method: string, path: string, body: JsonObject): Promise<Json> => {
  const { status, body: answer } = await openWorld().send(method, path, {
    stack_name: "app",
    ...body,
  });
  expect(status).toBe(400);
  return at(answer, "error", "message") ?? null;
};

describe.each(ROUTES)("%s %s", (method, path) => {
  it("refuses by name what this host does not do", async () => {
    expect(await refusal(method, path, { template_url: URL })).toContain("template_url");
    const container = { template: TEMPLATE, files_container: "c" };
    expect(await refusal(method, path, container)).toContain("files_container");
    const sinks = [{ type: "zaqar-queue", target: "q" }];
    const environment = { event_sinks: sinks };
    expect(await refusal(method, path, { template: TEMPLATE, environment })).toContain(
      '"event_sinks"',
    );
  });

  it("fetches a template where the operator lets it, and tells why not", async () => {
    const { ports } = openWorld();
    const ask = async (fetchTemplate: FetchTemplate, body: JsonObject) => {
      const request = {
        method,
        path: `/v1/demo${path}`,
        query: {},
        body: JSON.stringify({ stack_name: "app", ...body }),
      };
      const answer = await route(ports, { ...SETTINGS, fetchTemplate }, request, () => {});
      return { status: answer.status, text: answer.body ?? "" };
    };
    const asked: string[] = [];
    const gives: FetchTemplate = async (url) => {
      asked.push(url);
      return JSON.stringify(TEMPLATE);
    };
    expect((await ask(gives, { template_url: URL })).status).toBeLessThan(300);
    expect(asked).toEqual([URL]);
    const refuses: FetchTemplate = async () => {
      throw new Error("the operator does not allow the host");
    };
    const refused = await ask(refuses, { template_url: URL });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      "Could not retrieve template: the operator does not allow the host",
    );
    // As in Heat, a template in the body comes first.
    const both = { stack_name: "other", template: TEMPLATE, template_url: URL };
    expect((await ask(refuses, both)).status).toBeLessThan(300);
  });
});
