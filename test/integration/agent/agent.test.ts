import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { runLines } from "./agent-process.ts";
import { freshWorldPerTest, inWorld } from "./agent-world.ts";
import { entry, shell } from "./fake-engine.ts";

const world = freshWorldPerTest();

const { deploy, deployOne, reportStep, readText, signalledIds } = inWorld(world);

describe("a script", () => {
  it("runs with its inputs and signals its outputs, output and exit code", async () => {
    const script = shell(
      'printf "%s" "$greeting $list" > "$heat_outputs_path.result"',
      'echo "hello from $(pwd)"',
      "echo warning >&2",
    );
    const inputs = { greeting: "hello", list: ["a", { b: 1 }] };
    const outputs = ["result", "absent", "../escape"];
    deployOne(script, { inputs, outputs });
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

  it("gets numbers, booleans and null as texts that a shell can read", async () => {
    const script = shell('echo "$port|$flag|$nothing|"');
    const inputs = { port: 8080, flag: true, nothing: null };
    deployOne(script, { inputs });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body["deploy_stdout"]).toBe("8080|true||\n");
  });

  it("that fails is signalled with its exit code and stderr", async () => {
    const script = shell("echo no space left >&2", "exit 3");
    deployOne(script, { verb: "POST" });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal).toMatchObject({
      method: "POST",
      body: { deploy_status_code: 3, deploy_stderr: "no space left\n" },
    });
  });

  it("that a signal kills has the exit code 128 plus the signal's number", async () => {
    deployOne(shell("kill -KILL $$"));
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(137);
  });

  it.each([
    ["#!/no/such/program -e\n", "its interpreter /no/such/program is not on this server (ENOENT)"],
    ["#!/bin/sh\r\ntrue\r\n", "its first line ends as on Windows, with CR LF (ENOENT)"],
  ])("that cannot start fails with the cause instead of hanging: %j", async (script, cause) => {
    deployOne(script);
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({
      deploy_status_code: 1,
      deploy_stderr: `The script could not be run: ${cause}`,
    });
  });

  it("may start a daemon that keeps its output open", async () => {
    deployOne(shell("sleep 600 &", "echo $!"));
    world.start();
    const [signal] = await world.engine.signalled("d1");
    const daemon = Number(signal?.body["deploy_stdout"]);
    expect(alive(daemon)).toBe(true);
    process.kill(daemon);
  });

  it("runs in the order of the list, one at a time", async () => {
    const script = (name: string) =>
      shell(`test ! -e busy || exit 9`, "touch busy", `echo ${name} >> order`, "rm busy");
    deploy(...["a", "b", "c"].map((name) => entry(world.engine, name, script(name))));
    world.start();
    await world.engine.signalled("c");
    expect(readText("order")).toBe("a\nb\nc\n");
    expect(world.engine.signals.map((signal) => signal.body["deploy_status_code"])).toEqual([
      0, 0, 0,
    ]);
  });

  it("runs and is signalled even if the agent's log is closed", async () => {
    deploy(...["a", "b"].map((name) => entry(world.engine, name, shell(`echo ${name}`))));
    world.start().stopReading();
    await world.engine.signalled("b");
    expect(world.engine.signals.map((signal) => signal.body["deploy_stdout"])).toEqual([
      "a\n",
      "b\n",
    ]);
  });

  it("signals its start first if the engine understands progress", async () => {
    const inputs = { deploy_status_aware: "true" };
    deployOne(shell("true"), { inputs });
    world.start();
    const signals = await world.engine.signalled("d1", 2);
    expect(signals.map(({ body }) => body["deploy_status"])).toEqual(["IN_PROGRESS", undefined]);
  });

  it("runs even if the signal of its start is refused", async () => {
    const inputs = { deploy_status_aware: "true" };
    world.engine.refuseSignals(503);
    deployOne(shell("true"), { inputs });
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

  it("is the component's entry for the action; without one nothing runs or signals", async () => {
    deploy(
      component("d1", "SUSPEND"),
      component("d2", "DELETE"),
      component("d3", "RESUME"),
      component("d4", "UPDATE"),
    );
    world.start();
    await world.engine.signalled("d4");
    expect(world.engine.signals.map(({ id, body }) => [id, body["deploy_stdout"]])).toEqual([
      ["d2", "down\n"],
      ["d3", ""],
      ["d4", "up\n"],
    ]);
    expect(existsSync(join(world.root, "deployed", "d1.json"))).toBe(false);
  });

  it("must have a hook; a group without one is signalled as FAILED", async () => {
    deployOne("x", { group: "puppet" });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({
      deploy_status: "FAILED",
      deploy_status_reason: "no hook for group puppet",
      deploy_status_code: 1,
    });
    expect(runLines(world.root)).toEqual([]);
  });

  it("runs without a signal if the transport is NO_SIGNAL", async () => {
    deploy(
      entry(world.engine, "d1", shell("touch ran"), { signal: null }),
      entry(world.engine, "d2", shell("true")),
    );
    world.start();
    await world.engine.signalled("d2");
    expect(existsSync(join(world.root, "ran"))).toBe(true);
    expect(signalledIds()).toEqual(["d2"]);
  });
});

describe("at most once", () => {
  it("A1: an id that ran is not run again, neither by later polls nor after a restart", async () => {
    deployOne(shell("echo ran >> count"));
    const first = world.start();
    await world.engine.signalled("d1");
    await world.engine.polledAgain(3);
    expect(await first.kill("SIGTERM")).toBe(0);
    world.start();
    await world.engine.polledAgain(3);
    expect(readText("count")).toBe("ran\n");
    expect(world.engine.signals).toHaveLength(1);
  });

  it("A3: a run whose agent was killed is killed and signalled as FAILED, not repeated", async () => {
    const script = shell('echo "$$" > pid', "echo half way", reportStep("started"), "sleep 600");
    deployOne(script);
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
    expect(alive(Number(readText("pid")))).toBe(false);
  });
});

/** A zombie counts as dead. */
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
    deployOne(shell("echo once >> count"));
    world.start();
    await world.engine.signalled("d1");
    await world.engine.polledAgain(2);
    expect(world.engine.signals).toHaveLength(1);
    expect(readText("count")).toBe("once\n");
  });

  it("A2: that ran out of retries are sent again before each poll", async () => {
    world.engine.refuseSignals(...Array.from({ length: 12 }, () => 503));
    deployOne(shell("true"));
    world.start();
    await world.engine.signalled("d1");
    expect(world.engine.polls.some((poll) => poll.includes("&unsent=d1"))).toBe(true);
    await world.engine.polledAgain(2);
    expect(world.engine.signals).toHaveLength(1);
    expect(world.engine.polls.at(-1)).not.toContain("unsent");
  });

  it("A2: that were not acknowledged before a restart are sent after it, without another run", async () => {
    world.engine.refuseSignals(...Array.from({ length: 1_000 }, () => 503));
    deployOne(shell("echo once >> count"));
    const first = world.start();
    await world.engine.until(() => world.engine.attempts() > 0);
    await first.kill("SIGKILL");
    world.engine.acceptSignals();
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body["deploy_status_code"]).toBe(0);
    expect(readText("count")).toBe("once\n");
  });

  it("that are refused with another 4xx are given up, for that id only", async () => {
    world.engine.refuseSignals(410);
    deploy(entry(world.engine, "d1", shell("true")), entry(world.engine, "d2", shell("true")));
    world.start();
    await world.engine.signalled("d2");
    await world.engine.polledAgain(3);
    expect(signalledIds()).toEqual(["d2"]);
    expect(readText("results/d1.json")).toContain("REFUSED");
  });

  it("that are refused for good are named in each poll while the document lists them, also after a restart", async () => {
    world.engine.refuseSignals(403);
    deployOne(shell("true"));
    const isNamed = () => world.engine.polls.at(-1)?.includes("&unsent=d1") === true;
    const first = world.start();
    await world.engine.until(isNamed);
    await first.kill("SIGKILL");
    world.start();
    await world.engine.polledAgain(2);
    expect(isNamed()).toBe(true);
    deploy();
    await world.engine.polledAgain(2);
    expect(isNamed()).toBe(false);
    expect(world.engine.attempts()).toBe(1);
  });
});

describe("a result whose URL has ended", () => {
  it.each([403, 503])(
    "is sent to the one that the document names later (after %i)",
    async (status) => {
      world.engine.refuseSignals(status);
      const listed = entry(world.engine, "d1", shell("echo once >> count"));
      deploy(listed);
      world.start();
      await world.engine.until(() => world.engine.attempts() > 0);
      world.engine.acceptSignals();
      const moved = JSON.stringify(listed).replaceAll("/signal/d1", "/signal/moved");
      expect(moved).toContain("/signal/moved");
      deploy(z.record(z.string(), z.unknown()).parse(JSON.parse(moved)));
      await world.engine.until(() => signalledIds().length > 0);
      if (status === 403) expect(signalledIds()).toEqual(["moved"]);
      expect(readText("count")).toBe("once\n");
    },
  );
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

  it("continues at the document's URL once everything in the document has run", async () => {
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

  it("ends when the URL that its owner set is gone for good", async () => {
    world.engine.serve({ status: 410, text: "" });
    const agent = world.start();
    expect(await agent.ended()).toBe(0);
    expect(agent.printed()).toContain("the engine has deleted this server or revoked its URL");
    expect(world.engine.polls).toHaveLength(1);
  });

  it("keeps the URL that the engine named last over a restart, and tries both in turn", async () => {
    const named = `${world.engine.metadataUrl}&applied=7`;
    const isNamed = () => world.engine.polls.at(-1)?.includes("&applied=7") === true;
    world.engine.serve({
      "os-collect-config": { collectors: ["request"], request: { metadata_url: named } },
      deployments: [],
    });
    const first = world.start();
    await world.engine.until(isNamed);
    await first.kill("SIGKILL");
    const seen = world.engine.polls.length;
    world.engine.serve({ status: 503, text: "" });
    world.start();
    await world.engine.polledAgain(4);
    const tried = world.engine.polls.slice(seen).map((poll) => poll.includes("&applied=7"));
    expect(tried.slice(0, 4)).toEqual([true, false, true, false]);
    expect(statSync(join(world.root, "metadata-urls.json")).mode & 0o777).toBe(0o600);
  });

  it("goes back to its owner's URL when only the document's URL is gone", async () => {
    const metadata_url = `${world.engine.metadataUrl}&applied=7`;
    world.engine.serve({
      "os-collect-config": { collectors: ["request"], request: { metadata_url } },
      deployments: [],
    });
    world.start();
    await world.engine.until(() => world.engine.polls.at(-1)?.includes("&applied=7") === true);
    world.engine.serve({ status: 403, text: "" });
    await world.engine.polledAgain(2);
    expect(world.engine.polls.at(-1)).not.toContain("applied");
    world.engine.serve({ deployments: [entry(world.engine, "d1", shell("true"))] });
    await world.engine.signalled("d1");
  });

  it("hides its records from other users", async () => {
    deployOne(shell("true"));
    world.start();
    await world.engine.signalled("d1");
    const modes = ["deployed/d1.json", "results/d1.json", "scripts/d1"].map(
      (path) => statSync(join(world.root, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o700]);
  });

  it.each([
    ["others can write", (folder: string) => chmodSync(folder, 0o777)],
    [
      "others can write in it",
      (folder: string) => {
        mkdirSync(join(folder, "scripts"));
        chmodSync(join(folder, "scripts"), 0o777);
      },
    ],
    ["a link leads elsewhere", (folder: string) => symlinkSync("/tmp", join(folder, "outputs"))],
  ])("runs nothing from a folder where %s", async (_what, spoil) => {
    deployOne(shell("true"));
    spoil(world.root);
    const agent = world.start();
    expect(await agent.ended()).toBe(2);
    expect(existsSync(join(world.root, "deployed/d1.json"))).toBe(false);
  });
});
