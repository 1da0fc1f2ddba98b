import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeHeat, startFakeHeat } from "./fake-heat.ts";
import { hearth, startHearth } from "./hearth-process.ts";

let heat: FakeHeat;
let folder: string;
let template: string;

beforeEach(async () => {
  heat = await startFakeHeat();
  folder = mkdtempSync(join(tmpdir(), "hearth-cli-"));
  template = join(folder, "web.yaml");
  writeFileSync(join(folder, "up.sh"), "#!/bin/sh\n");
  writeFileSync(join(folder, "env.yaml"), "parameters: {port: 80}\n");
  writeFileSync(template, "heat_template_version: 2021-04-16\ndescription: {get_file: up.sh}\n");
});

afterEach(async () => {
  await heat.close();
  rmSync(folder, { recursive: true });
});

const begun = (action: string) =>
  ["web", `${action}_IN_PROGRESS`, `Stack ${action} started`] as const;

describe("stack create", () => {
  it("sends template, files and options, shows each event once and ends with the stack", async () => {
    heat.play(
      { status: "CREATE_IN_PROGRESS", events: [begun("CREATE"), ["db", "CREATE_IN_PROGRESS"]] },
      {
        status: "CREATE_COMPLETE",
        events: [
          ["db", "CREATE_COMPLETE", "state changed"],
          ["web", "CREATE_COMPLETE"],
        ],
      },
    );
    const environment = join(folder, "env.yaml");
    const options = ["-t", template, "-e", environment, "--parameter", "a=b=c", "--timeout", "5"];
    const { code, stdout, stderr } = await hearth(
      heat.endpoint,
      "stack",
      "create",
      "web",
      ...options,
    );
    const up = pathToFileURL(join(folder, "up.sh")).href;
    const env = pathToFileURL(environment).href;
    expect(heat.requests[0]).toEqual({
      method: "POST",
      path: "/v1/demo/stacks",
      token: "secret",
      body: {
        stack_name: "web",
        disable_rollback: true,
        template: { heat_template_version: "2021-04-16", description: { get_file: up } },
        files: { [up]: "#!/bin/sh\n", [env]: '{"parameters":{"port":80}}' },
        environment: { parameters: { port: 80 } },
        environment_files: [env],
        parameters: { a: "b=c" },
        timeout_mins: 5,
      },
    });
    expect(stdout.split("\n").slice(0, 5)).toEqual([
      "2026-01-01T00:00:00Z [web] CREATE_IN_PROGRESS  Stack CREATE started",
      "2026-01-01T00:00:00Z [db] CREATE_IN_PROGRESS",
      "2026-01-01T00:00:00Z [db] CREATE_COMPLETE  state changed",
      "2026-01-01T00:00:00Z [web] CREATE_COMPLETE",
      "name         web",
    ]);
    expect(stdout).toContain("  url = http://web");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("that is rolled back fails with the rollback's reason, and prints only JSON with --json", async () => {
    heat.play(
      { status: "CREATE_IN_PROGRESS", events: [begun("CREATE")] },
      {
        status: "ROLLBACK_COMPLETE",
        reason: "Stack ROLLBACK completed",
        events: [
          ["web", "ROLLBACK_IN_PROGRESS", "no space left"],
          ["web", "ROLLBACK_COMPLETE"],
        ],
      },
    );
    const options = ["-t", template, "--enable-rollback", "--json"];
    const { code, stdout, stderr } = await hearth(
      heat.endpoint,
      "stack",
      "create",
      "web",
      ...options,
    );
    expect(heat.requests[0]?.body).toMatchObject({ disable_rollback: false });
    expect(JSON.parse(stdout)).toMatchObject({ stack: { stack_status: "ROLLBACK_COMPLETE" } });
    const message = "The create of web ended as ROLLBACK_COMPLETE: no space left";
    expect(JSON.parse(stderr)).toEqual({ error: { message }, exit_code: 1 });
    expect(code).toBe(1);
  });
});

describe("stack update", () => {
  it.each([
    [[], ""],
    [["--full"], "?full=true"],
  ])("asks with %j for what the update must visit", async (options, query) => {
    heat.play({ status: "UPDATE_IN_PROGRESS" });
    const words = ["stack", "update", "--no-wait", "-t", template, ...options, "web"];
    expect((await hearth(heat.endpoint, ...words)).code).toBe(0);
    const [sent] = heat.requests.filter(({ method }) => method === "PUT");
    expect(sent?.path.replace(/^.*55/, "")).toBe(query);
  });

  it("says that another operation has overtaken it", async () => {
    heat.play(
      { status: "UPDATE_IN_PROGRESS", events: [begun("UPDATE")] },
      { status: "UPDATE_COMPLETE", events: [begun("UPDATE"), ["web", "UPDATE_COMPLETE"]] },
    );
    const { code, stderr } = await hearth(heat.endpoint, "stack", "update", "web", "-t", template);
    expect(stderr).toMatch(
      /^ERROR: The update of web was overtaken by another operation \(UPDATE\)\./,
    );
    expect(code).toBe(1);
    expect(heat.requests.find(({ method }) => method === "PUT")?.body).not.toHaveProperty(
      "disable_rollback",
    );
  });

  it("waits for a server that is away for a moment", async () => {
    heat.play(
      { status: "UPDATE_IN_PROGRESS", events: [begun("UPDATE")], dropped: true },
      { status: "UPDATE_COMPLETE", events: [["web", "UPDATE_COMPLETE"]] },
    );
    const { code, stderr } = await hearth(heat.endpoint, "stack", "update", "web", "-t", template);
    expect(stderr).toMatch(/^Cannot reach Hearth at .* Waiting for it\.\n$/);
    expect(code).toBe(0);
  });

  it("ends with 130 on Ctrl-C and leaves the operation alone", async () => {
    heat.play({ status: "UPDATE_IN_PROGRESS", events: [begun("UPDATE")] });
    const update = startHearth(heat.endpoint, "stack", "update", "web", "-t", template);
    await heat.asked("GET", /events\?sort_dir=asc/);
    update.interrupt();
    const { code, stderr } = await update.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^Stopped waiting; the update of web goes on\./);
    expect(heat.requests.filter(({ method }) => method !== "GET")).toHaveLength(1);
  });
});

describe("output", () => {
  it("ends silently when its reader has gone", async () => {
    const list = startHearth(heat.endpoint, "stack", "show", "web");
    list.stopReading();
    expect(await list.ended).toEqual({ code: 141, stdout: "", stderr: "" });
  });
});

describe("actions", () => {
  it("delete succeeds when the stack is no longer shown", async () => {
    heat.play(
      { status: "DELETE_IN_PROGRESS", events: [begun("DELETE")] },
      { status: "DELETE_COMPLETE", gone: true },
    );
    const { code, stdout } = await hearth(heat.endpoint, "stack", "delete", "-y", "web");
    expect(stdout).toBe("2026-01-01T00:00:00Z [web] DELETE_IN_PROGRESS  Stack DELETE started\n");
    expect(code).toBe(0);
  });

  it("delete without --yes is refused without a terminal", async () => {
    const { code, stderr } = await hearth(heat.endpoint, "stack", "delete", "web");
    expect(code).toBe(2);
    expect(stderr).toContain("add --yes");
    expect(heat.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("cancel succeeds with the state that it asked for", async () => {
    heat.play({
      status: "UPDATE_FAILED",
      events: [["web", "UPDATE_FAILED", "Stack UPDATE cancelled"]],
    });
    const stopped = await hearth(heat.endpoint, "stack", "cancel", "--no-rollback", "web");
    expect(stopped.code).toBe(0);
    heat.play({
      status: "ROLLBACK_COMPLETE",
      events: [begun("ROLLBACK"), ["web", "ROLLBACK_COMPLETE"]],
    });
    expect((await hearth(heat.endpoint, "stack", "cancel", "web")).code).toBe(0);
    const bodies = heat.requests.filter(({ method }) => method === "POST").map(({ body }) => body);
    expect(bodies).toEqual([{ cancel_without_rollback: null }, { cancel_update: null }]);
  });

  it("return at once with --no-wait", async () => {
    heat.play({ status: "SUSPEND_IN_PROGRESS" });
    const { code } = await hearth(heat.endpoint, "stack", "suspend", "--no-wait", "web");
    expect(code).toBe(0);
    expect(heat.requests.at(-1)).toMatchObject({ method: "POST", body: { suspend: null } });
  });
});

describe("errors", () => {
  it("print the server's message as the openstack client does", async () => {
    const { code, stderr } = await hearth(heat.endpoint, "stack", "show", "nosuch");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "ERROR: The Stack (nosuch) could not be found.\n",
    });
  });

  it("are one line of JSON on standard error with --json, also those of usage", async () => {
    const none = await hearth(heat.endpoint, "--json", "stack", "show", "nosuch");
    expect({ ...none, stderr: JSON.parse(none.stderr) }).toEqual({
      code: 1,
      stdout: "",
      stderr: {
        error: {
          message: "The Stack (nosuch) could not be found.",
          code: "EntityNotFound",
          status: 404,
        },
        exit_code: 1,
      },
    });
    const wrong = await hearth(heat.endpoint, "stack", "list", "--json", "--nosuch");
    const { error, exit_code } = JSON.parse(wrong.stderr);
    expect([wrong.code, exit_code]).toEqual([2, 2]);
    expect(error.message).toContain("unknown option '--nosuch'");
  });

  it("say in one sentence that the server does not answer", async () => {
    const { code, stderr } = await hearth(
      heat.endpoint,
      "--endpoint",
      await closedPort(),
      "stack",
      "list",
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^ERROR: Cannot reach Hearth at .*: the connection to .* was refused: .*\n$/,
    );
  });

  it("of usage exit with 2", async () => {
    const wrong = [
      ["bogus"],
      ["stack", "create", "web"],
      ["stack", "create", "web", "-t", template, "--parameter", "novalue"],
      ["stack", "create", "web", "-t", template, "--timeout", "soon"],
      ["--endpoint", "nowhere", "stack", "list"],
      ["serve", "--port", "0", "--memory", "--data", "folder"],
    ];
    for (const options of wrong) {
      const { code, stderr } = await hearth(heat.endpoint, ...options);
      expect({ options, code, said: stderr !== "" }).toEqual({ options, code: 2, said: true });
    }
    expect(heat.requests).toEqual([]);
  });
});

describe("the help", () => {
  it("of a command below a group has examples, and names the global options", async () => {
    const asked = await hearth(heat.endpoint, "help", "stack", "update");
    expect(asked).toMatchObject({ code: 0, stderr: "" });
    expect(asked.stdout).toMatch(/^Usage: hearth stack update \[options\] <stack>$/m);
    expect(asked.stdout).toContain("\nExamples:\n  hearth stack update web -P size=4\n");
    expect(asked.stdout).toContain("--endpoint --project --token");
    expect(await hearth(heat.endpoint, "stack", "update", "--help")).toEqual(asked);
    expect((await hearth(heat.endpoint, "help", "stack", "bogus")).code).toBe(2);
  });
});

describe("standard input", () => {
  it("is the template -", async () => {
    const graph = startHearth(heat.endpoint, "template", "graph", "-");
    graph.type("heat_template_version: 2018-08-31\nresources: {one: {type: OS::Heat::None}}\n");
    expect(await graph.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"one"') });
  });
});

const closedPort = async (): Promise<string> => {
  const gone = await startFakeHeat();
  await gone.close();
  return gone.endpoint;
};
