/** The core's tests in a clone that is reduced to the core. It has no command to be built first. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { project } from "../../vitest.config.ts";
import { PlayedSomething } from "../lanes/played-something.ts";

const withoutCommand = ({ test }: ReturnType<typeof project>) => ({
  test: { ...test, globalSetup: [] },
});

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    reporters: ["default", new PlayedSomething()],
    projects: [project("unit"), project("contract"), project("simulation", 600_000)].map(
      withoutCommand,
    ),
  },
});
