import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeHeat, startFakeHeat } from "./fake-heat.ts";
import { hearth } from "./hearth-process.ts";

const ID = "22222222-2222-3333-4444-555555555555";
const DEPLOYMENTS = "/v1/demo/software_deployments";
const ONE = `${DEPLOYMENTS}/${ID}`;
const STACK = "/v1/demo/stacks/web/11111111-2222-3333-4444-555555555555";

const deployment = (changes: object = {}) => ({
  software_deployment: {
    id: ID,
    server_id: "srv-1",
    config_id: "derived-1",
    action: "CREATE",
    status: "IN_PROGRESS",
    status_reason: "Deploy data available",
    input_values: { port: 80 },
    output_values: {},
    creation_time: "2026-01-01T00:00:00Z",
    ...changes,
  },
});

const diagnosis = (changes: object = {}) => ({
  diagnosis: {
    deployment_id: ID,
    config_id: "derived-1",
    server_id: "srv-1",
    server_name: "web-1",
    stack_id: "stack",
    resource_name: "install",
    action: "CREATE",
    state: "FETCHED",
    status: "IN_PROGRESS",
    status_reason: "Deploy data available",
    history: [
      { state: "PUBLISHED", time: "2026-01-01T00:00:00Z" },
      { state: "FETCHED", time: "2026-01-01T00:00:30Z" },
    ],
    verdict: {
      stage: 5,
      cause: "not_polling",
      certain: false,
      advice: ["look whether it runs"],
      summary: "server web-1 last polled 41 min ago",
    },
    warnings: ["the tool salt is not known"],
    evidence: [
      {
        kind: "expired",
        about: "server",
        count: 3,
        first_seen: "2026-01-01T00:01:00Z",
        last_seen: "2026-01-01T00:09:00Z",
      },
    ],
    server: { status: "ACTIVE", addresses: ["10.0.0.4"], last_poll: "2026-01-01T00:00:30Z" },
    output_tail: null,
    waiting_behind: null,
    ...changes,
  },
});

const LIST = `GET ${DEPLOYMENTS}?with_names=true`;

let heat: FakeHeat;
beforeEach(async () => {
  heat = await startFakeHeat();
  heat.answerWith(`GET ${ONE}`, deployment());
});
afterEach(() => heat.close());

const run = (...options: readonly string[]) => hearth(heat.endpoint, "deployment", ...options);

describe("deployment list and show", () => {
  it("show all deployments by name, or those of one server", async () => {
    const { software_deployment: one } = deployment();
    const names = {
      stack: "shop",
      resource: "web/install",
      server: "web-1",
      config: "setup",
    };
    const other = { ...one, id: "other", server_id: "srv-2", names: { ...names, server: "web-2" } };
    const software_deployments = [{ ...one, names }, other];
    heat.answerWith(LIST, { software_deployments });
    const row = "shop   web/install  web-1   setup   CREATE_IN_PROGRESS";
    const listed = await run("list", "--server", "web-1");
    expect(listed.stdout.trimEnd().split("\n").slice(1)).toEqual([`${row}  Deploy data available`]);
    const long = await run("list", "--server", "srv-1", "--long");
    expect(long.stdout.trimEnd().split("\n").slice(1)).toEqual([
      `${row}  ${ID}  srv-1      derived-1  Deploy data available`,
    ]);
    const json = JSON.parse((await run("list", "--server", "srv-2", "--json")).stdout);
    expect(json).toEqual({ software_deployments: [other] });
    // Heat's list has no names.
    heat.answerWith(LIST, { software_deployments: [one] });
    expect((await run("list")).stdout).toContain(ID);
    const shown = await run("show", ID);
    expect(shown.stdout).toContain("status       IN_PROGRESS\n");
    expect(shown.stdout).toContain("inputs:\n  port = 80\n");
  });

  it("find a deployment by its stack and resource, also in a group", async () => {
    const links = [{ rel: "nested", href: "" }];
    const group = { resource_status: "CREATE_IN_PROGRESS", physical_resource_id: "web", links };
    const member = { resource_status: "CREATE_IN_PROGRESS", physical_resource_id: ID };
    heat.answerWith(`GET ${STACK}/resources/all`, { resource: group });
    heat.answerWith(`GET ${STACK}/resources/first`, { resource: member });
    const { code, stdout } = await run("show", "web", "all/first");
    expect([code, stdout]).toEqual([0, expect.stringContaining(ID)]);
    const early = { resource_status: "INIT_COMPLETE", physical_resource_id: "" };
    heat.answerWith(`GET ${STACK}/resources/later`, { resource: early });
    heat.answerWith(LIST, { software_deployments: [] });
    expect(await run("show", "web", "later")).toMatchObject({
      code: 1,
      stderr:
        'ERROR: later of web has no deployment: its status is INIT_COMPLETE. "hearth deployment list" shows those of the project.\n',
    });
  });

  it.each(["stop", "diagnose"])(
    "%s names what is no deployment, and those of its stack",
    async (verb) => {
      const server = {
        resource_type: "OS::Heat::DeployedServer",
        resource_status: "CREATE_COMPLETE",
        physical_resource_id: "srv-1",
      };
      heat.answerWith(`GET ${STACK}/resources/box`, { resource: server });
      const { software_deployment: one } = deployment();
      const named = (stack: string, resource: string) => ({
        ...one,
        names: { stack, resource, server: "box", config: "c" },
      });
      const software_deployments = [
        named("web", "install"),
        named("x", "y"),
        named("web", "all/a"),
      ];
      heat.answerWith(LIST, { software_deployments });
      expect(await run(verb, "web", "box")).toMatchObject({
        code: 1,
        stderr:
          "ERROR: box of web has no deployment: it is of the type OS::Heat::DeployedServer. The deployments of web: install, all/a.\n",
      });
    },
  );
});

describe("deployment diagnose", () => {
  it("begins with a line that says what is wrong, and exits with 1", async () => {
    heat.answerWith(`GET ${ONE}/diagnosis`, diagnosis());
    const { code, stdout } = await run("diagnose", ID);
    expect([code, stdout.split("\n")]).toEqual([
      1,
      [
        "Probably: server web-1 last polled 41 min ago",
        `deployment   install ${ID}`,
        "server name  web-1 srv-1",
        "action       CREATE",
        "status       IN_PROGRESS Deploy data available",
        "cause        not_polling (place 5 of 6)",
        "steps:",
        "  PUBLISHED  2026-01-01T00:00:00Z",
        "  FETCHED    2026-01-01T00:00:30Z",
        "  APPLIED    not yet",
        "  RUNNING    not yet",
        "advice:",
        "  look whether it runs",
        "warnings:",
        "  the tool salt is not known",
        "evidence:",
        "  expired (server), 3 times: 2026-01-01T00:01:00Z to 2026-01-01T00:09:00Z",
        "server:",
        "  status       ACTIVE",
        "  addresses    10.0.0.4",
        "  last poll    2026-01-01T00:00:30Z",
        "",
      ],
    ]);
  });

  it("exits with 0 for a waiting or complete deployment, but not for a failed one", async () => {
    const fine = { stage: null, cause: "waiting_behind", certain: true, summary: "s", advice: [] };
    const behind = { deployment_id: "d", resource_name: "first", since: "2026-01-01T00:00:00Z" };
    const history = [{ state: "COMPLETE", time: "2026-01-01T00:00:40Z" }];
    heat.answerWith(
      `GET ${ONE}/diagnosis`,
      diagnosis({ verdict: fine, waiting_behind: behind }),
      diagnosis({ verdict: fine, status: "COMPLETE", history }),
      diagnosis({ verdict: fine, status: "FAILED" }),
    );
    const waiting = await run("diagnose", ID);
    expect(waiting).toMatchObject({ code: 0, stdout: expect.stringMatching(/^s\n/) });
    expect(waiting.stdout).toContain("behind       first since 2026-01-01T00:00:00Z\n");
    const complete = await run("diagnose", ID);
    expect([complete.code, complete.stdout.includes("not yet")]).toEqual([0, false]);
    const failed = await run("diagnose", ID, "--json");
    expect([failed.code, JSON.parse(failed.stdout)]).toEqual([
      1,
      diagnosis({ verdict: fine, status: "FAILED" }),
    ]);
  });
});

describe("deployment logs", () => {
  const tail = (deploy_stdout: string) =>
    diagnosis({ output_tail: { deploy_stdout, deploy_stderr: "oops", time: null } });

  it("show the end of the output while it runs, and all of it afterwards", async () => {
    heat.answerWith(`GET ${ONE}/diagnosis`, tail("half way\n"));
    expect(await run("logs", ID)).toMatchObject({ code: 0, stdout: "half way\n" });
    expect((await run("logs", ID, "--stderr")).stdout).toBe("oops\n");
    heat.answerWith(`GET ${ONE}`, deployment({ status: "COMPLETE" }));
    heat.answerWith(`GET ${ONE}/output/deploy_stdout?from=0`, "half way\nthe end");
    expect((await run("logs", ID)).stdout).toBe("half way\nthe end\n");
    const { stdout } = await run("logs", ID, "--json");
    expect(JSON.parse(stdout)).toEqual({
      deployment_id: ID,
      deploy_stdout: "half way\nthe end",
      complete: true,
    });
  });

  it("continue with --follow until the end, and show nothing twice", async () => {
    heat.answerWith(`GET ${ONE}`, deployment(), deployment(), deployment({ status: "COMPLETE" }));
    heat.answerWith(`GET ${ONE}/diagnosis`, tail("one\ntwo\n"), tail("two\nthree\n"));
    heat.answerWith(`GET ${ONE}/output/deploy_stdout?from=0`, "one\ntwo\nthree\nfour\n");
    expect(await run("logs", ID, "--follow")).toMatchObject({
      code: 0,
      stdout: "one\ntwo\nthree\nfour\n",
    });
  });
});

describe("deployment retry and set-result", () => {
  it("name the new delivery, or the reason why there is none", async () => {
    heat.answerWith(`POST ${ONE}/retry`, deployment({ config_id: "derived-2" }), {
      code: 409,
      title: "Conflict",
      error: { type: "HTTPConflict", message: "It waits for no result." },
    });
    expect(await run("retry", ID)).toMatchObject({
      code: 0,
      stdout: `CREATE of ${ID} is delivered again as derived-2.\n`,
    });
    expect(await run("retry", ID)).toMatchObject({
      code: 1,
      stderr: "ERROR: It waits for no result.\n",
    });
  });

  it("send the given result", async () => {
    heat.answerWith(`PUT ${ONE}`, deployment());
    const outputs = ["--output", "url=http://a?b=c", "--output", "n=1"];
    const printed = ["--stdout", "o", "--stderr", "e", "--code", "3"];
    const given = ["--status", "FAILED", "--reason", "no disk", ...outputs, ...printed];
    const { code, stdout } = await run("set-result", ID, ...given);
    expect([code, stdout]).toEqual([0, `The result of CREATE of ${ID} is taken as FAILED.\n`]);
    expect(heat.requests.at(-1)).toMatchObject({
      method: "PUT",
      body: {
        status: "FAILED",
        status_reason: "no disk",
        output_values: { url: "http://a?b=c", n: "1" },
        deploy_stdout: "o",
        deploy_stderr: "e",
        deploy_status_code: 3,
      },
    });
    const bad = await run("set-result", ID, "--status", "DONE");
    expect([bad.code, bad.stderr]).toEqual([
      2,
      expect.stringContaining("Allowed choices are COMPLETE, FAILED."),
    ]);
    expect((await run("set-result", ID)).code).toBe(2);
    heat.answerWith(`POST ${ONE}/abandon`, deployment({ action: "DELETE" }));
    expect(await run("set-result", ID, "--abandon-unreachable")).toMatchObject({
      code: 0,
      stdout: `The DELETE of ${ID} ends without its server.\n`,
    });
    const both = await run("set-result", ID, "--status", "FAILED", "--abandon-unreachable");
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("Give either")]);
  });
});
