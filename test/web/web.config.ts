/** `npm run lane -- web`: the console in a real browser. It is not part of `npm test`. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PlayedSomething } from "../lanes/played-something.ts";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["test/web/**/*.test.ts"],
    globalSetup: ["test/web/build-console.ts"],
    environment: "node",
    env: { HEARTH_LOG: "off" },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // On a small machine, one browser at a time leaves the second processor to the host.
    fileParallelism: false,
    reporters: ["default", new PlayedSomething()],
  },
});
