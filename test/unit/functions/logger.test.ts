import middy from "@middy/core";
import { describe, expect, it, vi } from "vitest";
import { logger, nameInvocations } from "#functions/logger.ts";
import { lambdaContext } from "#host/lambda-events.ts";
import { linesOf, writtenBy } from "./output.ts";

describe("a log line", () => {
  it("names the invocation and the revision that is deployed", async () => {
    const tested = middy(async () => logger.error("it fails", new Error("of a kind"))).use(
      nameInvocations({ revision: "r7" }),
    );
    const lines = await linesOf(async () => {
      await tested({}, lambdaContext("first", 60_000));
      await tested({}, lambdaContext("second", 60_000));
    });
    expect(lines).toEqual([
      expect.objectContaining({ message: "it fails", function_name: "first", revision: "r7" }),
      expect.objectContaining({ message: "it fails", function_name: "second", revision: "r7" }),
    ]);
  });

  it("is not written in tests, which would show it among their results", async () => {
    const both = async () => {
      logger.info("a line");
      logger.error("a line", new Error("of a kind"));
    };
    expect(await writtenBy(both)).toBe("");
    expect(await linesOf(both)).toHaveLength(2);
  });

  it.each([
    ["warn", ["warned", "failed"]],
    ["error", ["failed"]],
    ["off", ["failed"]],
    ["info", ["told", "warned", "failed"]],
    ["loud", ["told", "warned", "failed"]],
  ])("has the levels that HEARTH_LOG=%s chooses, and errors always", async (level, written) => {
    const lines = await linesOf(async () => {
      vi.stubEnv("HEARTH_LOG", level);
      logger.info("told");
      logger.warn("warned");
      logger.error("failed", new Error("of a kind"));
    });
    expect(lines).toEqual(written.map((message) => expect.objectContaining({ message })));
  });
});
