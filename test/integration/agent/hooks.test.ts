import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { freshWorldPerTest } from "./agent-world.ts";
import { entry } from "./fake-engine.ts";

const world = freshWorldPerTest();

const hooks = (): string => join(world.root, "hooks");

beforeEach(() => mkdirSync(hooks()));

const start = (...more: readonly string[]): void => {
  world.start("--hooks", hooks(), ...more);
};

const hook = (name: string, ...lines: readonly string[]): void => {
  writeFileSync(join(hooks(), name), ["#!/bin/sh", ...lines, ""].join("\n"));
  chmodSync(join(hooks(), name), 0o755);
};

const bodyOf = async (id: string) => (await world.engine.signalled(id)).at(-1)?.body;

describe("a hook", () => {
  it("gets the entry as stock hooks do, and prints the signal", async () => {
    hook(
      "salt",
      `cat > ${world.root}/given`,
      `echo '{"grains": {"a": [1]}, "deploy_stdout": "highstate", "deploy_status_code": 0}'`,
    );
    const inputs = { port: 8080 };
    world.engine.serve({
      deployments: [entry(world.engine, "d1", "top.sls", { group: "salt", inputs })],
    });
    start();
    expect(await bodyOf("d1")).toEqual({
      grains: { a: [1] },
      deploy_stdout: "highstate",
      deploy_stderr: "",
      deploy_status_code: 0,
    });
    expect(JSON.parse(readFileSync(join(world.root, "given"), "utf8"))).toMatchObject({
      id: "d1",
      group: "salt",
      config: "top.sls",
      options: {},
      inputs: expect.arrayContaining([{ name: "port", type: "String", value: 8080 }]),
    });
  });

  it("gets numbers and maps as the document has them, and its own reach the engine", async () => {
    const numbers =
      '[1.0,123456789012345678901234567890,1e+20,-0.0,"1.0, \\"2.0",{"b":1,"10":2.0,"2":{"1":"1"}}]';
    hook("salt", `cat > ${world.root}/given`, `echo '{"grains": {"a":${numbers}}}'`);
    const served = entry(world.engine, "d1", "NUMBERS", { group: "salt" });
    const text = JSON.stringify({ deployments: [served] }).replace('"NUMBERS"', numbers);
    world.engine.serve({ status: 200, text });
    start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.text).toContain(`"grains":{"a":${numbers}}`);
    expect(readFileSync(join(world.root, "given"), "utf8")).toContain(`"config":${numbers}`);
  });

  it("of a component gets the chosen config and its tool", async () => {
    hook("puppet", `cat > ${world.root}/given`, `echo '{"deploy_status_code": 0}'`);
    const configs = [
      { actions: ["CREATE"], tool: "script", config: "#!/bin/sh" },
      { actions: ["DELETE"], tool: "puppet", config: "node default {}" },
    ];
    const options = { group: "component", action: "DELETE" };
    world.engine.serve({ deployments: [entry(world.engine, "d1", { configs }, options)] });
    start();
    await world.engine.signalled("d1");
    expect(JSON.parse(readFileSync(join(world.root, "given"), "utf8"))).toMatchObject({
      group: "puppet",
      config: "node default {}",
    });
  });

  it("is named in each poll, after the built-in script tool", async () => {
    hook("salt", "true");
    hook("ansible", "true");
    writeFileSync(join(hooks(), "README.md"), "no hook");
    writeFileSync(join(hooks(), "chef"), "not executable");
    start();
    await world.engine.polledAgain(1);
    expect(world.engine.polls[0]).toMatch(/[?&]hooks=script,ansible,salt$/);
  });

  it("that prints no JSON is signalled with its output and exit code", async () => {
    hook("chef", "echo recipe failed", "echo why >&2", "exit 7");
    world.engine.serve({ deployments: [entry(world.engine, "d1", "x", { group: "chef" })] });
    start();
    expect(await bodyOf("d1")).toEqual({
      deploy_stdout: "recipe failed\n",
      deploy_stderr: "why\n",
      deploy_status_code: 7,
    });
  });

  it("that is missing or not executable fails the deployment with a reason", async () => {
    writeFileSync(join(hooks(), "docker-cmd"), "#!/bin/sh\n");
    world.engine.serve({
      deployments: [
        entry(world.engine, "d1", "x", { group: "docker-cmd" }),
        entry(world.engine, "d2", "x", { group: "../../bin/true" }),
      ],
    });
    start();
    expect((await bodyOf("d1"))?.["deploy_status_reason"]).toBe("no hook for group docker-cmd");
    expect((await bodyOf("d2"))?.["deploy_status_reason"]).toBe("no hook for group ../../bin/true");
  });
});

const WAIT_FOR_GATE = "#!/bin/sh\necho half way\nwhile [ ! -e gate ]; do sleep 0.05; done\n";
const AWARE = { inputs: { deploy_status_aware: "true" } };

describe("progress", () => {
  it("is signalled while a script runs, with the end of its output, and never after the result", async () => {
    world.engine.serve({ deployments: [entry(world.engine, "d1", WAIT_FOR_GATE, AWARE)] });
    start("--heartbeat-ms", "30");
    const [first, second] = await world.engine.signalled("d1", 4);
    expect(first?.body).toEqual({
      deploy_status: "IN_PROGRESS",
      deploy_status_reason: "The agent started d1_deploy",
    });
    expect(second?.body).toMatchObject({
      deploy_status: "IN_PROGRESS",
      deploy_status_reason: expect.stringMatching(/^The agent has run d1_deploy for \d+ s$/),
    });
    await world.engine.until(() =>
      world.engine.signals.some(({ body }) => body["deploy_stdout"] === "half way\n"),
    );
    writeFileSync(join(world.root, "gate"), "");
    await world.engine.until(() => world.engine.signals.at(-1)?.body["deploy_status_code"] === 0);
    const count = world.engine.signals.length;
    await world.engine.polledAgain(3);
    expect(world.engine.signals.length).toBe(count);
  });

  it("new agent, old Heat: is not signalled unless the engine says that it understands it", async () => {
    world.engine.serve({
      deployments: [
        // Starting another Node takes long enough for many heartbeats.
        entry(world.engine, "d1", `#!/bin/sh\n"${process.execPath}" -e 0\n`),
        entry(world.engine, "d2", "#!/bin/sh\n", { inputs: { deploy_status_aware: "false" } }),
      ],
    });
    start("--heartbeat-ms", "5");
    await world.engine.signalled("d2");
    expect(world.engine.signals.map(({ id, body }) => [id, body["deploy_status"]])).toEqual([
      ["d1", undefined],
      ["d2", undefined],
    ]);
  });
});
