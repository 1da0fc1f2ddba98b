import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AgentProcess, freshRoot, removeRoot, runLines, startAgent } from "./agent-process.ts";
import { entry, type FakeEngine, startFakeEngine } from "./fake-engine.ts";

let engine: FakeEngine;
let root: string;
let agents: AgentProcess[];

const start = (): AgentProcess => {
  const agent = startAgent(engine.metadataUrl, root);
  agents.push(agent);
  return agent;
};

beforeEach(async () => {
  engine = await startFakeEngine();
  root = freshRoot();
  agents = [];
});

afterEach(async () => {
  for (const agent of agents) await agent.kill("SIGKILL");
  await engine.close();
  removeRoot(root);
});

/** A line of a script that tells the fake engine, and so the test, that the script has come this far. */
const tell = (name: string): string =>
  `"${process.execPath}" -e 'fetch("${engine.signalUrl(name)}", { method: "PUT", body: "{}" })'`;

const shell = (...lines: readonly string[]): string => ["#!/bin/sh", ...lines, ""].join("\n");

describe("a script", () => {
  it("runs with its inputs and signals its outputs, output and exit code", async () => {
    const script = shell(
      'printf "%s" "$greeting $list" > "$heat_outputs_path.result"',
      'echo "hello from $(pwd)"',
      "echo warning >&2",
    );
    const inputs = { greeting: "hello", list: ["a", { b: 1 }] };
    const outputs = ["result", "absent", "../escape"];
    engine.serve({ deployments: [entry(engine, "d1", script, { inputs, outputs })] });
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal).toMatchObject({
      method: "PUT",
      body: {
        result: 'hello ["a",{"b":1}]',
        deploy_stdout: `hello from ${root}\n`,
        deploy_stderr: "warning\n",
        deploy_status_code: 0,
      },
    });
    expect(Object.keys(signal?.body ?? {})).not.toContain("absent");
    expect(runLines(root)).toMatchObject([
      { deployment: "d1_deploy", action: "CREATE", exit_code: 0, derived_id: "d1" },
    ]);
  });

  it("renders numbers, booleans and null as a shell can read them", async () => {
    const script = shell('echo "$port|$flag|$nothing|"');
    const inputs = { port: 8080, flag: true, nothing: null };
    engine.serve({ deployments: [entry(engine, "d1", script, { inputs })] });
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal?.body["deploy_stdout"]).toBe("8080|true||\n");
  });

  it("that fails is reported with its exit code and stderr", async () => {
    const script = shell("echo no space left >&2", "exit 3");
    engine.serve({ deployments: [entry(engine, "d1", script, { verb: "POST" })] });
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal).toMatchObject({
      method: "POST",
      body: { deploy_status_code: 3, deploy_stderr: "no space left\n" },
    });
  });

  it("that dies of a signal counts as 128 and the signal's number", async () => {
    engine.serve({ deployments: [entry(engine, "d1", shell("kill -KILL $$"))] });
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(137);
  });

  it("whose interpreter is missing fails with a reason instead of hanging", async () => {
    engine.serve({ deployments: [entry(engine, "d1", "#!/no/such/interpreter\n")] });
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal?.body).toMatchObject({
      deploy_status_code: 1,
      deploy_stderr: "The script could not be run: ENOENT",
    });
  });

  it("may leave a daemon behind that keeps its output open", async () => {
    engine.serve({ deployments: [entry(engine, "d1", shell("sleep 600 &", "echo $!"))] });
    start();
    const [signal] = await engine.signalled("d1");
    const daemon = Number(signal?.body["deploy_stdout"]);
    expect(alive(daemon)).toBe(true);
    process.kill(daemon);
  });

  it("runs after the ones before it in the list, one at a time", async () => {
    const script = (name: string) =>
      shell(`test ! -e busy || exit 9`, "touch busy", `echo ${name} >> order`, "rm busy");
    engine.serve({
      deployments: ["a", "b", "c"].map((name) => entry(engine, name, script(name))),
    });
    start();
    await engine.signalled("c");
    expect(readFileSync(join(root, "order"), "utf8")).toBe("a\nb\nc\n");
    expect(engine.signals.map((signal) => signal.body["deploy_status_code"])).toEqual([0, 0, 0]);
  });

  it("runs and is reported although nobody reads the agent's log any more", async () => {
    engine.serve({
      deployments: ["a", "b"].map((name) => entry(engine, name, shell(`echo ${name}`))),
    });
    start().stopReading();
    await engine.signalled("b");
    expect(engine.signals.map((signal) => signal.body["deploy_stdout"])).toEqual(["a\n", "b\n"]);
  });

  it("announces itself first when the engine knows of progress", async () => {
    const inputs = { deploy_status_aware: "true" };
    engine.serve({ deployments: [entry(engine, "d1", shell("true"), { inputs })] });
    start();
    const signals = await engine.signalled("d1", 2);
    expect(signals.map(({ body }) => body["deploy_status"])).toEqual(["IN_PROGRESS", undefined]);
  });

  it("runs even if its announcement is refused", async () => {
    const inputs = { deploy_status_aware: "true" };
    engine.refuseSignals(503);
    engine.serve({ deployments: [entry(engine, "d1", shell("true"), { inputs })] });
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(0);
    expect(engine.attempts()).toBe(2);
  });
});

describe("which config runs", () => {
  const configs = [
    { actions: ["CREATE", "UPDATE"], tool: "script", config: shell("echo up") },
    { actions: ["DELETE"], tool: "script", config: shell("echo down") },
    { actions: ["RESUME"], tool: "ansible", config: "- hosts: all" },
  ];
  const component = (id: string, action: string) =>
    entry(engine, id, { configs }, { group: "component", action });

  it("is the component's entry for the action; without one nothing runs and nothing is signalled", async () => {
    engine.serve({
      deployments: [
        component("d1", "SUSPEND"),
        component("d2", "DELETE"),
        component("d3", "RESUME"),
        component("d4", "UPDATE"),
      ],
    });
    start();
    await engine.signalled("d4");
    expect(engine.signals.map(({ id, body }) => [id, body["deploy_stdout"]])).toEqual([
      ["d2", "down\n"],
      ["d3", ""],
      ["d4", "up\n"],
    ]);
    expect(existsSync(join(root, "deployed", "d1.json"))).toBe(false);
  });

  it("must have a hook: another group is refused with a signal that says so", async () => {
    engine.serve({ deployments: [entry(engine, "d1", "x", { group: "puppet" })] });
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal?.body).toMatchObject({
      deploy_status: "FAILED",
      deploy_status_reason: "no hook for group puppet",
      deploy_status_code: 1,
    });
    expect(runLines(root)).toEqual([]);
  });

  it("runs unreported when nobody wants the signal", async () => {
    engine.serve({
      deployments: [
        entry(engine, "d1", shell("touch ran"), { signal: null }),
        entry(engine, "d2", shell("true")),
      ],
    });
    start();
    await engine.signalled("d2");
    expect(existsSync(join(root, "ran"))).toBe(true);
    expect(engine.signals.map(({ id }) => id)).toEqual(["d2"]);
  });
});

describe("at most once", () => {
  it("A1: an id that ran is not run again by later polls or after a restart", async () => {
    engine.serve({ deployments: [entry(engine, "d1", shell("echo ran >> count"))] });
    const first = start();
    await engine.signalled("d1");
    await engine.polledAgain(3);
    expect(await first.kill("SIGTERM")).toBe(0);
    start();
    await engine.polledAgain(3);
    expect(readFileSync(join(root, "count"), "utf8")).toBe("ran\n");
    expect(engine.signals).toHaveLength(1);
  });

  it("A3: a run that was killed with the agent is ended and reported as FAILED, not repeated", async () => {
    const script = shell('echo "$$" > pid', "echo half way", tell("started"), "sleep 600");
    engine.serve({ deployments: [entry(engine, "d1", script)] });
    const first = start();
    await engine.signalled("started");
    await first.kill("SIGKILL");
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal?.body).toEqual({
      deploy_status: "FAILED",
      deploy_status_reason: "agent restarted",
      deploy_status_code: 1,
      deploy_stdout: "half way\n",
      deploy_stderr: "agent restarted",
    });
    await engine.polledAgain(2);
    expect(runLines(root)).toMatchObject([{ derived_id: "d1", exit_code: null }]);
    expect(alive(Number(readFileSync(join(root, "pid"), "utf8")))).toBe(false);
  });

  it("a stopped agent takes its script and the script's children with it", async () => {
    const script = shell("sleep 600 &", 'echo "$!" > child', tell("started"), "wait");
    engine.serve({ deployments: [entry(engine, "d1", script)] });
    const agent = start();
    await engine.signalled("started");
    expect(await agent.kill("SIGTERM")).toBe(0);
    const child = Number(readFileSync(join(root, "child"), "utf8"));
    await vi.waitFor(() => expect(alive(child)).toBe(false));
    expect(existsSync(join(root, "results", "d1.json"))).toBe(false);
  });
});

/** A zombie that waits for its reaper counts as dead. */
const alive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

describe("signals", () => {
  it("A2: are retried on 503 and 429 until they are acknowledged", async () => {
    engine.refuseSignals(503, 429, 500);
    engine.serve({ deployments: [entry(engine, "d1", shell("echo once >> count"))] });
    start();
    await engine.signalled("d1");
    await engine.polledAgain(2);
    expect(engine.signals).toHaveLength(1);
    expect(readFileSync(join(root, "count"), "utf8")).toBe("once\n");
  });

  it("A2: that ran out of retries are sent again with each poll", async () => {
    engine.refuseSignals(...Array.from({ length: 12 }, () => 503));
    engine.serve({ deployments: [entry(engine, "d1", shell("true"))] });
    start();
    await engine.signalled("d1");
    expect(engine.polls.some((poll) => poll.includes("&unsent=d1"))).toBe(true);
    await engine.polledAgain(2);
    expect(engine.signals).toHaveLength(1);
    expect(engine.polls.at(-1)).not.toContain("unsent");
  });

  it("A2: that were not acknowledged before a restart are sent after it, and the script does not run again", async () => {
    engine.refuseSignals(...Array.from({ length: 1_000 }, () => 503));
    engine.serve({ deployments: [entry(engine, "d1", shell("echo once >> count"))] });
    const first = start();
    await engine.until(() => engine.attempts() > 0);
    await first.kill("SIGKILL");
    engine.acceptSignals();
    start();
    const [signal] = await engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(0);
    expect(readFileSync(join(root, "count"), "utf8")).toBe("once\n");
  });

  it("that are refused with another 4xx are given up for that id only", async () => {
    engine.refuseSignals(410);
    engine.serve({
      deployments: [entry(engine, "d1", shell("true")), entry(engine, "d2", shell("true"))],
    });
    start();
    await engine.signalled("d2");
    await engine.polledAgain(3);
    expect(engine.signals.map(({ id }) => id)).toEqual(["d2"]);
    expect(readFileSync(join(root, "results", "d1.json"), "utf8")).toContain("REFUSED");
  });

  it("that are refused for good are told of with each poll, also after a restart, as long as their entry is there", async () => {
    engine.refuseSignals(403);
    engine.serve({ deployments: [entry(engine, "d1", shell("true"))] });
    const isTold = () => engine.polls.at(-1)?.includes("&unsent=d1") === true;
    const first = start();
    await engine.until(isTold);
    await first.kill("SIGKILL");
    start();
    await engine.polledAgain(2);
    expect(isTold()).toBe(true);
    engine.serve({ deployments: [] });
    await engine.polledAgain(2);
    expect(isTold()).toBe(false);
    expect(engine.attempts()).toBe(1);
  });
});

describe("polling", () => {
  it("survives every kind of unusable answer", async () => {
    const agent = start();
    const garbage = ["null", "[]", "<html>", '{"deployments": {"a": 1}}', "{", ""];
    for (const text of garbage) {
      engine.serve({ status: 200, text });
      await engine.polledAgain(2);
    }
    engine.serve({ status: 503, text: "" });
    await engine.polledAgain(2);
    const broken = [null, 7, { id: "../../x", group: "script", config: "#!/bin/sh" }, { id: "n" }];
    engine.serve({ deployments: [...broken, entry(engine, "d1", shell("true"))] });
    const [signal] = await engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(0);
    expect(agent.printed()).not.toContain("secret-signature");
  });

  it("goes on where the document says once everything in it has run", async () => {
    const metadata_url = `${engine.metadataUrl}&applied=7`;
    engine.serve({
      "os-collect-config": { collectors: ["request"], request: { metadata_url } },
      deployments: [entry(engine, "d1", shell("true"))],
    });
    start();
    await engine.until(() => engine.polls.at(-1)?.includes("&applied=7") === true);
    expect(engine.signals).toHaveLength(1);
    expect(engine.polls[0]).not.toContain("applied");
  });

  it("keeps what it records from other users", async () => {
    engine.serve({ deployments: [entry(engine, "d1", shell("true"))] });
    start();
    await engine.signalled("d1");
    const modes = ["deployed/d1.json", "results/d1.json", "scripts/d1"].map(
      (path) => statSync(join(root, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o700]);
  });
});
