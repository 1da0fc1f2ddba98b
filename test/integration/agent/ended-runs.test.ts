import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runLines } from "./agent-process.ts";
import { freshWorldPerTest } from "./agent-world.ts";
import { entry, shell } from "./fake-engine.ts";

const world = freshWorldPerTest();

const readText = (path: string): string => readFileSync(join(world.root, path), "utf8");

const deploy = (script: string, options: object = {}, id = "d1"): object => ({
  ...entry(world.engine, id, script, {}),
  options,
});

const HANGING = shell(
  "echo half way",
  `(trap "" TERM; sleep 600) &`,
  'echo "$!" > child',
  'touch "$heat_outputs_path.result"',
  "sleep 600",
);

const started = (): Promise<void> =>
  vi.waitFor(() => expect(existsSync(join(world.root, "child"))).toBe(true), { timeout: 30_000 });

/** A zombie counts as dead. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const failed = (reason: string, code: number) => ({
  deploy_status: "FAILED",
  deploy_status_reason: `The agent ended the run: ${reason}`,
  deploy_status_code: code,
  deploy_stdout: "half way\n",
  deploy_stderr: "",
});

describe("a run", () => {
  it("that its owner stops is ended with its whole group, reported, and not run again", async () => {
    world.engine.serve({ deployments: [deploy(HANGING), deploy(shell("echo next"), {}, "d2")] });
    const agent = world.start();
    await started();
    world.engine.tellRun({ id: "d1", state: "stop", reason: "its owner has stopped it" });
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toEqual(failed("its owner has stopped it", 143));
    expect(isAlive(Number(readText("child")))).toBe(false);
    await world.engine.signalled("d2");
    await world.engine.polledAgain(2);
    expect(runLines(world.root)).toMatchObject([
      { derived_id: "d1", exit_code: 143 },
      { derived_id: "d2", exit_code: 0 },
    ]);
    expect(agent.printed()).toContain("its owner has stopped it");
  });

  it("that a newer request has overtaken is ended if its config says so", async () => {
    world.engine.tellRun({ id: "d1", state: "overtaken" });
    world.engine.serve({ deployments: [deploy(HANGING, { overtaken: "stop" })] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({
      deploy_status: "FAILED",
      deploy_status_reason: "The agent ended the run: a newer request has overtaken it",
    });
  });

  it.each([{}, { overtaken: "finish" }])(
    "that a newer request has overtaken ends by itself with %j",
    async (options) => {
      world.engine.tellRun({ id: "d1", state: "overtaken" });
      world.engine.serve({ deployments: [deploy(shell("sleep 1", "echo done"), options)] });
      world.start();
      const [signal] = await world.engine.signalled("d1");
      expect(signal?.body).toMatchObject({ deploy_status_code: 0, deploy_stdout: "done\n" });
    },
  );

  it.each([1, "1"])(
    "that takes longer than the timeout %j of its config ends with 124",
    async (seconds) => {
      world.engine.serve({ deployments: [deploy(HANGING, { timeout: seconds })] });
      world.start();
      const [signal] = await world.engine.signalled("d1");
      expect(signal?.body).toEqual(failed("it timed out after 1 seconds", 124));
    },
  );

  it("is not ended by an answer about another run, nor by an engine that knows no such question", async () => {
    world.engine.tellRun({ id: "d0", state: "stop" });
    world.engine.serve({ deployments: [deploy(shell("sleep 1", "echo done"))] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({ deploy_status_code: 0, deploy_stdout: "done\n" });
    expect(world.engine.polls.some((url) => url.includes("running=d1"))).toBe(true);
  });
});
