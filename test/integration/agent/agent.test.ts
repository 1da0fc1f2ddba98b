import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runLines } from "./agent-process.ts";
import { freshWorldPerTest } from "./agent-world.ts";
import { entry } from "./fake-engine.ts";

const world = freshWorldPerTest();

/** A line of a script that tells the fake engine, and so the test, that the script has come this far. */
const tell = (name: string): string =>
  `"${process.execPath}" -e 'fetch("${world.engine.signalUrl(name)}", { method: "PUT", body: "{}" })'`;

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
    world.engine.serve({ deployments: [entry(world.engine, "d1", script, { inputs, outputs })] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal).toMatchObject({
      method: "PUT",
      body: {
        result: 'hello ["a",{"b":1}]',
        deploy_stdout: `hello from ${world.root}\n`,
        deploy_stderr: "warning\n",
        deploy_status_code: 0,
      },
    });
    expect(Object.keys(signal?.body ?? {})).not.toContain("absent");
    expect(runLines(world.root)).toMatchObject([
      { deployment: "d1_deploy", action: "CREATE", exit_code: 0, derived_id: "d1" },
    ]);
  });

  it("renders numbers, booleans and null as a shell can read them", async () => {
    const script = shell('echo "$port|$flag|$nothing|"');
    const inputs = { port: 8080, flag: true, nothing: null };
    world.engine.serve({ deployments: [entry(world.engine, "d1", script, { inputs })] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body["deploy_stdout"]).toBe("8080|true||\n");
  });

  it("that fails is reported with its exit code and stderr", async () => {
    const script = shell("echo no space left >&2", "exit 3");
    world.engine.serve({ deployments: [entry(world.engine, "d1", script, { verb: "POST" })] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal).toMatchObject({
      method: "POST",
      body: { deploy_status_code: 3, deploy_stderr: "no space left\n" },
    });
  });

  it("that dies of a signal counts as 128 and the signal's number", async () => {
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("kill -KILL $$"))] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(137);
  });

  it("whose interpreter is missing fails with a reason instead of hanging", async () => {
    world.engine.serve({ deployments: [entry(world.engine, "d1", "#!/no/such/interpreter\n")] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({
      deploy_status_code: 1,
      deploy_stderr: "The script could not be run: ENOENT",
    });
  });

  it("may leave a daemon behind that keeps its output open", async () => {
    world.engine.serve({
      deployments: [entry(world.engine, "d1", shell("sleep 600 &", "echo $!"))],
    });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    const daemon = Number(signal?.body["deploy_stdout"]);
    expect(alive(daemon)).toBe(true);
    process.kill(daemon);
  });

  it("runs after the ones before it in the list, one at a time", async () => {
    const script = (name: string) =>
      shell(`test ! -e busy || exit 9`, "touch busy", `echo ${name} >> order`, "rm busy");
    world.engine.serve({
      deployments: ["a", "b", "c"].map((name) => entry(world.engine, name, script(name))),
    });
    world.start();
    await world.engine.signalled("c");
    expect(readFileSync(join(world.root, "order"), "utf8")).toBe("a\nb\nc\n");
    expect(world.engine.signals.map((signal) => signal.body["deploy_status_code"])).toEqual([
      0, 0, 0,
    ]);
  });

  it("runs and is reported although nobody reads the agent's log any more", async () => {
    world.engine.serve({
      deployments: ["a", "b"].map((name) => entry(world.engine, name, shell(`echo ${name}`))),
    });
    world.start().stopReading();
    await world.engine.signalled("b");
    expect(world.engine.signals.map((signal) => signal.body["deploy_stdout"])).toEqual([
      "a\n",
      "b\n",
    ]);
  });

  it("announces itself first when the engine knows of progress", async () => {
    const inputs = { deploy_status_aware: "true" };
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("true"), { inputs })] });
    world.start();
    const signals = await world.engine.signalled("d1", 2);
    expect(signals.map(({ body }) => body["deploy_status"])).toEqual(["IN_PROGRESS", undefined]);
  });

  it("runs even if its announcement is refused", async () => {
    const inputs = { deploy_status_aware: "true" };
    world.engine.refuseSignals(503);
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("true"), { inputs })] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(0);
    expect(world.engine.attempts()).toBe(2);
  });
});

describe("which config runs", () => {
  const configs = [
    { actions: ["CREATE", "UPDATE"], tool: "script", config: shell("echo up") },
    { actions: ["DELETE"], tool: "script", config: shell("echo down") },
    { actions: ["RESUME"], tool: "ansible", config: "- hosts: all" },
  ];
  const component = (id: string, action: string) =>
    entry(world.engine, id, { configs }, { group: "component", action });

  it("is the component's entry for the action; without one nothing runs and nothing is signalled", async () => {
    world.engine.serve({
      deployments: [
        component("d1", "SUSPEND"),
        component("d2", "DELETE"),
        component("d3", "RESUME"),
        component("d4", "UPDATE"),
      ],
    });
    world.start();
    await world.engine.signalled("d4");
    expect(world.engine.signals.map(({ id, body }) => [id, body["deploy_stdout"]])).toEqual([
      ["d2", "down\n"],
      ["d3", ""],
      ["d4", "up\n"],
    ]);
    expect(existsSync(join(world.root, "deployed", "d1.json"))).toBe(false);
  });

  it("must have a hook: another group is refused with a signal that says so", async () => {
    world.engine.serve({ deployments: [entry(world.engine, "d1", "x", { group: "puppet" })] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({
      deploy_status: "FAILED",
      deploy_status_reason: "no hook for group puppet",
      deploy_status_code: 1,
    });
    expect(runLines(world.root)).toEqual([]);
  });

  it("runs unreported when nobody wants the signal", async () => {
    world.engine.serve({
      deployments: [
        entry(world.engine, "d1", shell("touch ran"), { signal: null }),
        entry(world.engine, "d2", shell("true")),
      ],
    });
    world.start();
    await world.engine.signalled("d2");
    expect(existsSync(join(world.root, "ran"))).toBe(true);
    expect(world.engine.signals.map(({ id }) => id)).toEqual(["d2"]);
  });
});

describe("at most once", () => {
  it("A1: an id that ran is not run again by later polls or after a restart", async () => {
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("echo ran >> count"))] });
    const first = world.start();
    await world.engine.signalled("d1");
    await world.engine.polledAgain(3);
    expect(await first.kill("SIGTERM")).toBe(0);
    world.start();
    await world.engine.polledAgain(3);
    expect(readFileSync(join(world.root, "count"), "utf8")).toBe("ran\n");
    expect(world.engine.signals).toHaveLength(1);
  });

  it("A3: a run that was killed with the agent is ended and reported as FAILED, not repeated", async () => {
    const script = shell('echo "$$" > pid', "echo half way", tell("started"), "sleep 600");
    world.engine.serve({ deployments: [entry(world.engine, "d1", script)] });
    const first = world.start();
    await world.engine.signalled("started");
    await first.kill("SIGKILL");
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toEqual({
      deploy_status: "FAILED",
      deploy_status_reason: "agent restarted",
      deploy_status_code: 1,
      deploy_stdout: "half way\n",
      deploy_stderr: "agent restarted",
    });
    await world.engine.polledAgain(2);
    expect(runLines(world.root)).toMatchObject([{ derived_id: "d1", exit_code: null }]);
    expect(alive(Number(readFileSync(join(world.root, "pid"), "utf8")))).toBe(false);
  });

  it("a stopped agent takes its script and the script's children with it", async () => {
    const script = shell("sleep 600 &", 'echo "$!" > child', tell("started"), "wait");
    world.engine.serve({ deployments: [entry(world.engine, "d1", script)] });
    const agent = world.start();
    await world.engine.signalled("started");
    expect(await agent.kill("SIGTERM")).toBe(0);
    const child = Number(readFileSync(join(world.root, "child"), "utf8"));
    await vi.waitFor(() => expect(alive(child)).toBe(false));
    expect(existsSync(join(world.root, "results", "d1.json"))).toBe(false);
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
    world.engine.refuseSignals(503, 429, 500);
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("echo once >> count"))] });
    world.start();
    await world.engine.signalled("d1");
    await world.engine.polledAgain(2);
    expect(world.engine.signals).toHaveLength(1);
    expect(readFileSync(join(world.root, "count"), "utf8")).toBe("once\n");
  });

  it("A2: that ran out of retries are sent again with each poll", async () => {
    world.engine.refuseSignals(...Array.from({ length: 12 }, () => 503));
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("true"))] });
    world.start();
    await world.engine.signalled("d1");
    expect(world.engine.polls.some((poll) => poll.includes("&unsent=d1"))).toBe(true);
    await world.engine.polledAgain(2);
    expect(world.engine.signals).toHaveLength(1);
    expect(world.engine.polls.at(-1)).not.toContain("unsent");
  });

  it("A2: that were not acknowledged before a restart are sent after it, and the script does not run again", async () => {
    world.engine.refuseSignals(...Array.from({ length: 1_000 }, () => 503));
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("echo once >> count"))] });
    const first = world.start();
    await world.engine.until(() => world.engine.attempts() > 0);
    await first.kill("SIGKILL");
    world.engine.acceptSignals();
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(0);
    expect(readFileSync(join(world.root, "count"), "utf8")).toBe("once\n");
  });

  it("that are refused with another 4xx are given up for that id only", async () => {
    world.engine.refuseSignals(410);
    world.engine.serve({
      deployments: [
        entry(world.engine, "d1", shell("true")),
        entry(world.engine, "d2", shell("true")),
      ],
    });
    world.start();
    await world.engine.signalled("d2");
    await world.engine.polledAgain(3);
    expect(world.engine.signals.map(({ id }) => id)).toEqual(["d2"]);
    expect(readFileSync(join(world.root, "results", "d1.json"), "utf8")).toContain("REFUSED");
  });

  it("that are refused for good are told of with each poll, also after a restart, as long as their entry is there", async () => {
    world.engine.refuseSignals(403);
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("true"))] });
    const isTold = () => world.engine.polls.at(-1)?.includes("&unsent=d1") === true;
    const first = world.start();
    await world.engine.until(isTold);
    await first.kill("SIGKILL");
    world.start();
    await world.engine.polledAgain(2);
    expect(isTold()).toBe(true);
    world.engine.serve({ deployments: [] });
    await world.engine.polledAgain(2);
    expect(isTold()).toBe(false);
    expect(world.engine.attempts()).toBe(1);
  });
});

describe("polling", () => {
  it("survives every kind of unusable answer", async () => {
    const agent = world.start();
    const garbage = ["null", "[]", "<html>", '{"deployments": {"a": 1}}', "{", ""];
    for (const text of garbage) {
      world.engine.serve({ status: 200, text });
      await world.engine.polledAgain(2);
    }
    world.engine.serve({ status: 503, text: "" });
    await world.engine.polledAgain(2);
    const broken = [null, 7, { id: "../../x", group: "script", config: "#!/bin/sh" }, { id: "n" }];
    world.engine.serve({ deployments: [...broken, entry(world.engine, "d1", shell("true"))] });
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(0);
    expect(agent.printed()).not.toContain("secret-signature");
  });

  it("goes on where the document says once everything in it has run", async () => {
    const metadata_url = `${world.engine.metadataUrl}&applied=7`;
    world.engine.serve({
      "os-collect-config": { collectors: ["request"], request: { metadata_url } },
      deployments: [entry(world.engine, "d1", shell("true"))],
    });
    world.start();
    await world.engine.until(() => world.engine.polls.at(-1)?.includes("&applied=7") === true);
    expect(world.engine.signals).toHaveLength(1);
    expect(world.engine.polls[0]).not.toContain("applied");
  });

  it("keeps what it records from other users", async () => {
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("true"))] });
    world.start();
    await world.engine.signalled("d1");
    const modes = ["deployed/d1.json", "results/d1.json", "scripts/d1"].map(
      (path) => statSync(join(world.root, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o700]);
  });
});
