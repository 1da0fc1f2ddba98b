import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { knownCaller } from "#functions/api/identity.ts";
import { API_ROUTES, route } from "#lib/api/route.ts";
import type { Rights } from "#lib/ports/ports.ts";
import { openWorld, SETTINGS, type World } from "#test/unit/api/api-world.ts";

const listShape = z.object({ stacks: z.array(z.object({ id: z.string() })) });
const TEMPLATE = { heat_template_version: "2021-04-16" };
const READ = /may only read/;
const STACK = /for the stack app only/;

let world: World;
beforeEach(() => {
  world = openWorld();
});

const ask = async (rights: Rights, method: string, path: string, body: object | null = null) => {
  const request = { method, path, query: {}, body: body && JSON.stringify(body) };
  const asked = { ...request, tenant: "demo", rights };
  const answer = await route(world.ports, SETTINGS, asked, (error) => {
    throw error;
  });
  return { status: answer.status, text: answer.body ?? "" };
};

const answersOf = async (rights: Rights, stackName: string) => {
  const answers: { readonly route: string; readonly status: number; readonly text: string }[] = [];
  for (const { method, pattern } of API_ROUTES) {
    const path = pattern
      .replace("{tenant}", "demo")
      .replace("{stack_name}", stackName)
      .replace(/\{\w+\}/g, "x");
    const body = method === "GET" ? null : { stack_name: stackName, template: TEMPLATE };
    answers.push({ route: `${method} ${pattern}`, ...(await ask(rights, method, path, body)) });
  }
  return answers;
};

const refused = (answers: Awaited<ReturnType<typeof answersOf>>, why: RegExp) =>
  answers
    .filter(({ status, text }) => status === 403 && why.test(text))
    .map(({ route: one }) => one);

const PREVIEWS = [
  "POST /v1/{tenant}/validate",
  "POST /v1/{tenant}/stacks/preview",
  "PUT /v1/{tenant}/stacks/{stack_name}/{stack_id}/preview",
  "PATCH /v1/{tenant}/stacks/{stack_name}/{stack_id}/preview",
];
const DOCUMENT = "GET /v1/{tenant}/software_deployments/metadata/{server_id}";

describe("a token that may only read", () => {
  it("is refused at each route that changes something, and at no other", async () => {
    const answers = await answersOf({ mayOnlyRead: true }, "app");
    const changing = answers
      .map(({ route: one }) => one)
      .filter((one) => one === DOCUMENT || !(one.startsWith("GET") || PREVIEWS.includes(one)));
    expect(refused(answers, READ)).toEqual(changing);
    expect((await ask({}, "GET", "/v1/demo/stacks/app")).status).toBe(404);
  });

  it("reads signed URLs, which are rights of their own", async () => {
    const resources = { handle: { type: "OS::Heat::WaitConditionHandle" } };
    const outputs = { curl: { value: { get_attr: ["handle", "curl_cli"] } } };
    const template = { ...TEMPLATE, resources, outputs };
    await ask({}, "POST", "/v1/demo/stacks", { stack_name: "app", template });
    await world.settle();
    const { stacks } = listShape.parse(JSON.parse((await ask({}, "GET", "/v1/demo/stacks")).text));
    const path = `/v1/demo/stacks/app/${stacks[0]?.id}/outputs/curl`;
    expect((await ask({ mayOnlyRead: true }, "GET", path)).text).toMatch(/agent\/signal\/.*sig=/);
  });
});

describe("a token for one stack", () => {
  const OF_NO_STACK =
    /^GET \/$|^GET \/v1$|validate|stacks\/preview|build_info|resource_types|template_versions/;

  it("reaches no route of another stack, and none of the project but its types", async () => {
    const answers = await answersOf({ stack: "app" }, "other");
    const beyond = answers
      .map(({ route: one }) => one)
      .filter((one) => !OF_NO_STACK.test(one) && one !== "GET /v1/{tenant}/stacks")
      .filter((one) => !one.includes("{deployment_id}"));
    expect(refused(answers, STACK)).toEqual(beyond);
  });

  it("reaches the deployments of its own stack only", async () => {
    const config = { type: "OS::Heat::SoftwareConfig", properties: { group: "script" } };
    const properties = { config: { get_resource: "config" }, server: "metal-1" };
    const deployment = { type: "OS::Heat::SoftwareDeployment", properties };
    const template = { ...TEMPLATE, resources: { config, deployment } };
    await ask({}, "POST", "/v1/demo/stacks", { stack_name: "other", template });
    await world.settle();
    const [id] = /(?<="id":")[^"]+/.exec(
      (await ask({}, "GET", "/v1/demo/software_deployments")).text,
    ) ?? [""];
    const path = `/v1/demo/software_deployments/${id}`;
    expect((await ask({ stack: "other" }, "GET", path)).status).toBe(200);
    expect((await ask({ stack: "other" }, "GET", `${path}/diagnosis`)).status).toBe(200);
    for (const [method, way] of [
      ["GET", path],
      ["GET", `${path}/diagnosis`],
      ["DELETE", path],
      ["POST", `${path}/abandon`],
    ] as const)
      expect((await ask({ stack: "app" }, method, way)).text).toMatch(STACK);
  });

  it("makes, lists and reaches its own stack", async () => {
    const rights = { stack: "app" };
    await ask({}, "POST", "/v1/demo/stacks", { stack_name: "other", template: TEMPLATE });
    const made = await ask(rights, "POST", "/v1/demo/stacks", {
      stack_name: "app",
      template: TEMPLATE,
    });
    expect(made.status).toBe(201);
    await world.settle();
    for (const query of [{}, { name: ["other"] }, { stack_name: ["other"] }]) {
      const request = { method: "GET", path: "/v1/demo/stacks", query, body: null };
      const answer = await route(
        world.ports,
        SETTINGS,
        { ...request, tenant: "demo", rights },
        () => undefined,
      );
      expect(answer.body).toContain('"stack_name":"app"');
      expect(answer.body).not.toContain('"stack_name":"other"');
    }
    const own = await answersOf(rights, "app");
    expect(refused(own, STACK).filter((one) => one.includes("{stack_name}"))).toEqual([]);
    expect((await ask(rights, "GET", "/v1/demo/stacks/app")).status).toBe(302);
  });
});

describe("what an authorizer hands on", () => {
  it.each([
    [{ tenant: "demo" }, {}],
    [{ tenant: "demo", mayOnlyRead: "true" }, { mayOnlyRead: true }],
    [
      { tenant: "demo", mayOnlyRead: true, stack: "app" },
      { mayOnlyRead: true, stack: "app" },
    ],
    [{ tenant: "demo", mayOnlyRead: "false" }, { mayOnlyRead: false }],
  ])("bounds the caller: %j", (authorizer, rights) => {
    const event = { path: "/v1/demo/stacks", requestContext: { authorizer, identity: {} } };
    // @ts-expect-error An event of the gateway has more, which is not read.
    expect(knownCaller({})(event)).toMatchObject({ tenant: "demo", rights });
  });
});
