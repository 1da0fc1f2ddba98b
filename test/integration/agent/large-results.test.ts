import { describe, expect, it } from "vitest";
import { z } from "zod";
import { freshWorldPerTest } from "./agent-world.ts";
import { entry, shell } from "./fake-engine.ts";

const world = freshWorldPerTest();

describe("signals", () => {
  it("keep the end of long output, below 900,000 bytes", async () => {
    const script = shell(
      "head -c 2000000 /dev/zero | tr '\\0' '\"'",
      "echo the end",
      "head -c 700000 /dev/zero | tr '\\0' 'x' >&2",
    );
    world.engine.serve({ deployments: [entry(world.engine, "d1", script)] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.bytes).toBeLessThan(900_000);
    expect(signal?.bytes).toBeGreaterThan(899_000);
    expect(signal?.body["deploy_stdout"]).toMatch(/^"+the end\n$/);
  });

  const twoMegabytes = shell("head -c 2000000 /dev/zero | tr '\\0' x", "echo the end");
  const aware = { inputs: { deploy_status_aware: "true" } };

  it("upload a long result whole if the engine takes uploads", async () => {
    world.engine.takeUploads(503);
    world.engine.serve({ deployments: [entry(world.engine, "d1", twoMegabytes, aware)] });
    world.start();
    const signals = await world.engine.signalled("d1", 2);
    const sent = signals.map(({ body }) => body["deploy_status"] ?? body);
    expect(sent).toEqual(["IN_PROGRESS", { deploy_upload: "d1" }]);
    const uploaded = z
      .object({ deploy_stdout: z.string() })
      .parse(JSON.parse(world.engine.uploads.get("d1") ?? ""));
    expect(uploaded.deploy_stdout).toBe(`${"x".repeat(2_000_000)}the end\n`);
  });

  it("are cut if the upload fails", async () => {
    world.engine.takeUploads(403);
    world.engine.serve({ deployments: [entry(world.engine, "d1", twoMegabytes, aware)] });
    world.start();
    const [, cut] = await world.engine.signalled("d1", 2);
    expect(cut?.body["deploy_stdout"]).toMatch(/^x{800000,}the end\n$/);
    expect(cut?.bytes).toBeLessThan(900_000);
  });

  it("are cut for an engine that takes the request for an upload URL for progress", async () => {
    world.engine.serve({ deployments: [entry(world.engine, "d1", twoMegabytes, aware)] });
    world.start();
    const signals = await world.engine.signalled("d1", 3);
    const statuses = signals.map(({ body }) => body["deploy_status"]);
    expect(statuses).toEqual(["IN_PROGRESS", "IN_PROGRESS", undefined]);
    expect(signals[2]?.bytes).toBeLessThan(900_000);
  });

  it("fail the run when the outputs alone are too long", async () => {
    const script = shell("head -c 1000000 /dev/zero | tr '\\0' 'x' > \"$heat_outputs_path.big\"");
    world.engine.serve({ deployments: [entry(world.engine, "d1", script, { outputs: ["big"] })] });
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({
      deploy_status: "FAILED",
      deploy_status_reason: "the outputs exceed 900000 bytes",
    });
  });
});
