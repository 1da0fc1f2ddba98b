import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { at, send, waitForStack } from "../host/host-client.ts";
import { type FakeHeat, startFakeHeat } from "./fake-heat.ts";
import { type Ended, hearth } from "./hearth-process.ts";

const STACK = "/v1/demo/stacks/web/11111111-2222-3333-4444-555555555555";
const PATIENT = { timeout: 20_000 };

/** The server never polls, unless a test does. So only this action waits for it. */
const software = (action: "CREATE" | "DELETE") => ({
  server: { type: "OS::Heat::DeployedServer" },
  config: {
    type: "OS::Heat::SoftwareConfig",
    properties: { group: "script", config: "#!/bin/sh" },
  },
  software: {
    type: "OS::Heat::SoftwareDeployment",
    properties: {
      config: { get_resource: "config" },
      server: { get_resource: "server" },
      actions: [action],
    },
  },
});

describe("what the commands send", () => {
  let heat: FakeHeat;
  beforeEach(async () => {
    heat = await startFakeHeat();
  });
  afterEach(() => heat.close());

  it.each([
    [["--import", "object-7"], { import: "object-7" }, "It has the object object-7 now."],
    [["--nothing-was-made"], { nothing_was_made: true }, "The next update creates it."],
    [["--retry"], { retry: true }, "An update has begun that creates it."],
  ])("stack resource resolve %s", async (options, body, told) => {
    heat.answerWith(`POST ${STACK}/resources/a%20b/resolve`, {});
    const ended = await hearth(heat.endpoint, ...resolve("web", "a b", ...options));
    expect(ended).toEqual({ code: 0, stdout: `${told}\n`, stderr: "" });
    expect(heat.requests.at(-1)).toMatchObject({ method: "POST", body });
  });

  it.each([
    [[], "Give one of --import ID, --nothing-was-made and --retry."],
    [["--import", "x", "--retry"], "Give one of --import ID, --nothing-was-made and --retry."],
    [["--nothing-was-made", "--retry"], "Give one of --import ID, --nothing-was-made and --retry."],
    [["--import", ""], "--import needs the object's id"],
  ])("stack resource resolve %j is a usage error, and sends nothing", async (options, told) => {
    const ended = await hearth(heat.endpoint, ...resolve("web", "lost", ...options));
    expect(ended).toEqual({ code: 2, stdout: "", stderr: `ERROR: ${told}\n` });
    expect(heat.requests).toEqual([]);
  });

  it.each([
    [[], ""],
    [["--force"], "?force=true"],
    [["--abandon-unreachable"], "?abandon_unreachable=true"],
    [["--force", "--abandon-unreachable"], "?abandon_unreachable=true&force=true"],
  ])("stack delete %j", async (options, query) => {
    heat.play({ status: "DELETE_IN_PROGRESS" });
    const words = ["stack", "delete", "--yes", "--no-wait", ...options, "web"];
    expect((await hearth(heat.endpoint, ...words)).code).toBe(0);
    const deletes = heat.requests.filter(({ method }) => method === "DELETE");
    expect(deletes.map(({ path }) => path)).toEqual([`${STACK}${query}`]);
  });
});

const resolve = (stack: string, resource: string, ...options: readonly string[]) => [
  "stack",
  "resource",
  "resolve",
  stack,
  resource,
  ...options,
];

let host: Host;
const withHost = (): void => {
  beforeEach(async () => {
    host = await startHost({ port: 0, data: null });
  });
  afterEach(() => host.stop());
};

const run = (...words: readonly string[]): Promise<Ended> => hearth(host.url, ...words);

const begin = async (resources: object): Promise<string> => {
  const template = JSON.stringify({ heat_template_version: "2018-08-31", resources });
  const given = { stack_name: "app", template };
  const { body } = await send(host.url, "POST", "/v1/demo/stacks", given);
  return `/v1/demo/stacks/app/${at(body, "stack", "id")}`;
};

const create = async (resources: object): Promise<string> => {
  const path = await begin(resources);
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  return path;
};

describe("stack resource resolve", () => {
  withHost();

  it("refuses a stack or resource that is not there, and one that nobody has asked about", async () => {
    await create({ thing: { type: "OS::Heat::TestResource" } });
    const answers = [
      await run(...resolve("other", "thing", "--retry")),
      await run(...resolve("app", "other", "--retry")),
      await run(...resolve("app", "thing", "--nothing-was-made")),
    ];
    expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, "ERROR: The Stack (other) could not be found.\n"],
      [1, "ERROR: The Resource (other) could not be found in Stack app.\n"],
      [1, "ERROR: The outcome of resource thing of stack app is known.\n"],
    ]);
    expect((await run("stack", "show", "app")).stdout).toContain("CREATE_COMPLETE");
  });
});

const pollUrl = async (): Promise<string> => {
  const script = await run("server", "bootstrap", "app", "--local", "--format", "script");
  return /^url='(.+)'$/m.exec(script.stdout)?.[1] ?? "";
};

/**
 * The server has begun to boot and got no further, so a DELETE waits for it. A DELETE for a server
 * that never reported would end at once.
 */
const createWithBoot = async (): Promise<string> => {
  const stack = await create(software("DELETE"));
  expect((await fetch(`${await pollUrl()}&boot=begun`)).ok).toBe(true);
  return stack;
};

const deployment = async () => {
  const { body } = await send(host.url, "GET", "/v1/demo/software_deployments");
  return at(body, "software_deployments", 0);
};

const waitingIn = async (action: "CREATE" | "DELETE"): Promise<string> => {
  await expect.poll(deployment, PATIENT).toMatchObject({ action, status: "IN_PROGRESS" });
  return String(at(await deployment(), "id"));
};

const waitingDelete = async (): Promise<string> => {
  expect((await run("stack", "delete", "--yes", "--no-wait", "app")).code).toBe(0);
  return waitingIn("DELETE");
};

const reasonsOf = async (stack: string): Promise<string> =>
  JSON.stringify((await send(host.url, "GET", `${stack}/events`)).body);

const expectGone = async (): Promise<void> => {
  const status = async () => (await send(host.url, "GET", "/v1/demo/stacks/app")).status;
  await expect.poll(status, PATIENT).toBe(404);
};

describe("stack delete", () => {
  withHost();

  it("needs no answer with --force, and deletes everything as without it", async () => {
    await create({ thing: { type: "OS::Heat::TestResource" } });
    expect(await run("stack", "delete", "--yes", "--force", "app")).toMatchObject({ code: 0 });
    await expectGone();
    expect(at((await send(host.url, "GET", "/_dev/resources")).body, "resources")).toEqual([]);
  });

  it("does not wait for a server that never polled with --abandon-unreachable", async () => {
    const stack = await createWithBoot();
    const ended = await run("stack", "delete", "--yes", "--abandon-unreachable", "app");
    expect(ended.code).toBe(0);
    await expectGone();
    expect(await reasonsOf(stack)).toContain("server server has never polled, and the user gave");
  });

  it("with that ends a delete that waits already", async () => {
    const stack = await createWithBoot();
    const diagnosed = await run("deployment", "diagnose", await waitingDelete());
    expect(diagnosed.stdout).toContain("hearth stack delete --abandon-unreachable");
    const row = (await send(host.url, "GET", `${stack}/resources/software`)).body;
    expect(at(row, "resource", "resource_status_reason")).toContain("--abandon-unreachable");
    const ended = await run("stack", "delete", "--yes", "--abandon-unreachable", "app");
    expect(ended.code).toBe(0);
    await expectGone();
    expect(await reasonsOf(stack)).toContain("server server has never polled, and the user gave");
  });
});

describe("deployment set-result --abandon-unreachable", () => {
  withHost();

  it("ends the DELETE of a deployment whose server never polled", async () => {
    const stack = await createWithBoot();
    const id = await waitingDelete();
    const ended = await run("deployment", "set-result", id, "--abandon-unreachable");
    const stdout = `The DELETE of ${id} ends without its server.\n`;
    expect(ended).toEqual({ code: 0, stdout, stderr: "" });
    await expectGone();
    expect(await reasonsOf(stack)).toContain(
      `Abandoned: deployment ${id}: server server has never`,
    );
  });

  it("is refused in another action", async () => {
    await begin(software("CREATE"));
    const id = await waitingIn("CREATE");
    const refused = await run("deployment", "set-result", id, "--abandon-unreachable");
    const stderr = `ERROR: Deployment ${id} waits for the result of its CREATE: only a DELETE can be abandoned.\n`;
    expect(refused).toEqual({ code: 1, stdout: "", stderr });
  });

  it("is refused if the server polls", async () => {
    await create(software("DELETE"));
    expect((await fetch(await pollUrl())).status).toBe(200);
    const id = await waitingDelete();
    const refused = await run("deployment", "set-result", id, "--abandon-unreachable");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`Deployment ${id} is not abandoned, because its server can be`),
    ]);
    expect(await waitingIn("DELETE")).toBe(id);
  });
});
