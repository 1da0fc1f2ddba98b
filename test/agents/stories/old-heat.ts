/**
 * A new image on an older Heat, which accepts the first signal as the result. A fake engine plays
 * Heat: it never sets deploy_status_aware and records every signal.
 */
import { deepEqual, equal } from "node:assert/strict";
import { entry, startFakeEngine } from "../../integration/agent/fake-engine.ts";
import { openServer, type Story, script, until } from "../rig.ts";

const newImage: Story = {
  name: "new image, old Heat: the wrapper hook sends only the result",
  play: async (rig) => {
    const heat = await startFakeEngine();
    heat.serve({
      "os-collect-config": {
        collectors: ["request", "local"],
        request: { metadata_url: heat.metadataUrl },
      },
      deployments: [
        entry(heat, "d1", script("sleep 1", "echo done")),
        entry(heat, "d2", "x", { group: "puppet" }),
      ],
    });
    const server = openServer(rig, "old-heat", {
      statusAware: true,
      // In C.UTF-8 the stock agents die when they also collect `local`, as Heat asks.
      environment: { HEARTH_PROGRESS_SECONDS: "0.1", LC_ALL: "C" },
    });
    server.start(heat.metadataUrl);
    await until("both results are there", () => heat.signals.length >= 2);
    await server.kill();
    await heat.close();
    equal(heat.attempts(), 2);
    deepEqual(
      heat.signals.map(({ id, body }) => [id, body["deploy_status"], body["deploy_status_code"]]),
      [
        ["d1", undefined, 0],
        ["d2", undefined, 1],
      ],
    );
  },
};

export const oldHeatStories: readonly Story[] = [newImage];
