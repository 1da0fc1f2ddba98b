import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeHeat, startFakeHeat } from "./fake-heat.ts";
import { hearth } from "./hearth-process.ts";

const ID = "11111111-2222-3333-4444-555555555555";
const BELOW = "99999999-2222-3333-4444-555555555555";
const STACK = `/v1/demo/stacks/web/${ID}`;
const hrefOf = (name: string, id: string) => `http://heat/v1/demo/stacks/${name}/${id}`;

const stackAnswer = (stack_status: string) => ({
  stack: { id: ID, stack_name: "web", stack_status, stack_status_reason: "r" },
});

const cause = (kind: string, summary: string, more: object = {}) => ({
  kind,
  summary,
  certain: true,
  stage: null,
  advice: [],
  next_poll: null,
  ...more,
});

const resource = (name: string, given: object, more: object = {}) => ({
  resource_name: name,
  resource_type: "T",
  resource_status: "CREATE_IN_PROGRESS",
  links: [{ rel: "stack", href: hrefOf("web", ID) }],
  cause: given,
  ...more,
});

const stopped = cause("deployment", "server a has stopped polling", {
  certain: false,
  stage: 5,
  advice: ["check the agent"],
});

const waiting = [
  resource("group", cause("nested", "it waits for the resources of its stack"), {
    links: [
      { rel: "stack", href: hrefOf("web", ID) },
      { rel: "nested", href: hrefOf("web-group", BELOW) },
    ],
  }),
  resource("run", stopped, { links: [{ rel: "stack", href: hrefOf("web-group", BELOW) }] }),
  resource("later", cause("requirements", "it waits for group"), {
    resource_status: "INIT_COMPLETE",
  }),
];

let heat: FakeHeat;
beforeEach(async () => {
  heat = await startFakeHeat();
});
afterEach(() => heat.close());

const run = (...options: readonly string[]) => hearth(heat.endpoint, "stack", ...options);

const answer = (status: string, resources: readonly object[], omitted = 0) => {
  const path = "/v1/demo/stacks/web";
  heat.answerWith(`GET ${path}`, stackAnswer(status));
  heat.answerWith(`GET ${path}?resolve_outputs=false`, stackAnswer(status));
  heat.answerWith(`GET ${STACK}/diagnosis`, { diagnosis: { resources, omitted } });
};

describe("stack diagnose", () => {
  it("says of each resource what holds it up, also below, and exits with 1", async () => {
    answer("CREATE_IN_PROGRESS", waiting, 3);
    const { code, stdout } = await run("diagnose", "web");
    expect([code, stdout.split("\n")]).toEqual([
      1,
      [
        "web is CREATE_IN_PROGRESS:",
        "group  CREATE_IN_PROGRESS",
        "  it waits for the resources of its stack",
        "group/run  CREATE_IN_PROGRESS",
        "  Probably: server a has stopped polling",
        "  - check the agent",
        "later  INIT_COMPLETE",
        "  it waits for group",
        "... and 3 more that are not done",
        "",
      ],
    ]);
  });

  it("exits with 0 if nothing is wrong", async () => {
    answer("CREATE_COMPLETE", []);
    expect(await run("diagnose", "web")).toMatchObject({
      code: 0,
      stdout: "web is CREATE_COMPLETE; no resource waits or has failed.\n",
    });
    answer("CREATE_IN_PROGRESS", [resource("a", cause("provider", "asked again in 12 s"))]);
    expect((await run("diagnose", "web")).code).toBe(0);
  });
});

describe("stack show", () => {
  it("ends with what holds the stack up", async () => {
    answer("CREATE_IN_PROGRESS", waiting);
    expect((await run("show", "web")).stdout).toMatch(
      /\nnot done:\n {2}group\/run: Probably: server a has stopped polling\n$/,
    );
  });

  it("names the logs of what has failed", async () => {
    const failed = cause("failed", "exit 3", { advice: ["`hearth deployment logs d --stderr`"] });
    answer("CREATE_FAILED", [resource("run", failed)]);
    expect((await run("show", "web")).stdout).toMatch(
      /\n {2}run: exit 3\n {4}- `hearth deployment logs d --stderr`\n$/,
    );
  });

  it("shows the stack of a server without diagnoses", async () => {
    heat.answerWith("GET /v1/demo/stacks/web", stackAnswer("CREATE_FAILED"));
    expect(await run("show", "web")).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining("not done"),
    });
  });
});
