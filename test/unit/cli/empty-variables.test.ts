/** An environment variable that is set but empty counts as unset. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { chosenLogLevel, keepLogQuiet } from "../../../apps/cli/empty-variables.ts";
import { readOptions } from "../../../examples/two-tier/options.ts";

afterEach(() => vi.unstubAllEnvs());

describe("HEARTH_LOG", () => {
  it.each([
    [undefined, "off"],
    ["", "off"],
    ["info", "info"],
  ])("that is %j becomes %s in a command that runs a host itself", (given, wanted) => {
    vi.stubEnv("HEARTH_LOG", given);
    keepLogQuiet();
    expect(process.env["HEARTH_LOG"]).toBe(wanted);
  });

  it("chooses nothing while it is empty", () => {
    vi.stubEnv("HEARTH_LOG", "");
    expect(chosenLogLevel()).toBeUndefined();
  });
});

describe("the demo with two tiers", () => {
  it("takes empty variables for unset ones", () => {
    vi.stubEnv("HEARTH_PROJECT", "");
    vi.stubEnv("HEARTH_TOKEN", "");
    expect(readOptions([])).toMatchObject({ project: "demo" });
    expect(readOptions([])).not.toHaveProperty("token", "");
  });
});
