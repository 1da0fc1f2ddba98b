/** The double of an engine passes the suite that real ones pass in `npm run lane -- docker`. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEngine } from "#providers/docker/engine/client.ts";
import { startEngineDouble } from "../../docker/engine-double.ts";
import { playEngine } from "../../docker/engine-suite.ts";
import { BARE_IMAGE } from "../../docker/provider-play.ts";
import { freshFolder, removeFolder } from "../folders.ts";

describe("the double of an engine", () => {
  it.each(["docker", "podman"] as const)(
    "does what the provider relies on, as %s",
    async (kind) => {
      const folder = freshFolder();
      const double = await startEngineDouble(join(folder, "engine.sock"), kind);
      double.state.images.set(BARE_IMAGE, ["/bin/sh"]);
      const results = await playEngine(openEngine({ socketPath: double.socketPath }));
      expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
      expect(results.length).toBeGreaterThan(7);
      await double.stop();
      removeFolder(folder);
    },
  );
});
