import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { freshWorldPerTest, inWorld } from "./agent-world.ts";
import { entry, shell } from "./fake-engine.ts";

const world = freshWorldPerTest();

const { deploy, deployOne, reportStep, readText, signalledIds } = inWorld(world);

/** A zombie counts as dead. */
const alive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

describe("an agent that is asked to end", () => {
  it("an agent that is asked to end lets its script end, sends the result, and begins no other", async () => {
    const wait = "until [ -e go ]; do sleep 0.02; done";
    const script = shell(reportStep("started"), wait, "echo whole");
    deploy(entry(world.engine, "d1", script), entry(world.engine, "d2", shell("touch second")));
    const agent = world.start();
    await world.engine.signalled("started");
    agent.signal("SIGTERM");
    await vi.waitFor(() => expect(agent.printed()).toContain("agent drains"));
    writeFileSync(join(world.root, "go"), "");
    expect(await agent.ended()).toBe(0);
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({ deploy_status_code: 0, deploy_stdout: "whole\n" });
    expect(existsSync(join(world.root, "second"))).toBe(false);
    world.start();
    await world.engine.signalled("d2");
    expect(signalledIds()).toEqual(["started", "d1", "d2"]);
  });

  it("an idle agent ends at once when it is asked to", async () => {
    const agent = world.start();
    await world.engine.polledAgain(2);
    expect(await agent.kill("SIGTERM")).toBe(0);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "an agent that is asked to end at once, by %s, also ends its script and the script's children",
    async (last) => {
      const script = shell("sleep 600 &", 'echo "$!" > child', reportStep("started"), "wait");
      deployOne(script);
      const agent = world.start();
      await world.engine.signalled("started");
      if (last === "SIGTERM") {
        agent.signal("SIGTERM");
        await vi.waitFor(() => expect(agent.printed()).toContain("agent drains"));
      }
      expect(await agent.kill(last)).toBe(0);
      const child = Number(readText("child"));
      await vi.waitFor(() => expect(alive(child)).toBe(false));
      expect(existsSync(join(world.root, "results", "d1.json"))).toBe(false);
    },
  );
});
