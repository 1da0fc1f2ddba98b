import { describe, expect, it } from "vitest";
import { lambdaEntry } from "#functions/aws/entry.ts";
import { logger } from "#functions/logger.ts";
import { lambdaContext } from "#host/lambda-events.ts";
import { linesOf, writtenBy } from "./output.ts";

const context = (name: string) => lambdaContext(name, 60_000);

describe("a log line", () => {
  it("names the invocation in whose work it is written, and no other", async () => {
    const entered = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const slow = lambdaEntry(
      async () => {
        logger.info("slow begins");
        entered.resolve();
        await left.promise;
        logger.info("slow ends");
      },
      { revision: "r7" },
    );
    const quick = lambdaEntry(async () => logger.error("quick fails", new Error("of a kind")));
    const lines = await linesOf(async () => {
      const running = slow({}, context("slow"));
      await entered.promise;
      await quick({}, context("quick"));
      logger.info("outside");
      left.resolve();
      await running;
    });
    const inSlow = { function_name: "slow", revision: "r7" };
    expect(lines).toEqual([
      expect.objectContaining({ message: "slow begins", ...inSlow }),
      expect.objectContaining({ message: "quick fails", function_name: "quick" }),
      expect.objectContaining({ message: "outside" }),
      expect.objectContaining({ message: "slow ends", ...inSlow }),
    ]);
    expect(lines[1]).not.toHaveProperty("revision");
    expect(lines[2]).not.toHaveProperty("function_name");
  });

  it("is not written in tests, which would show it among their results", async () => {
    const both = async () => {
      logger.info("a line");
      logger.error("a line", new Error("of a kind"));
    };
    expect(await writtenBy(both)).toBe("");
    expect(await linesOf(both)).toHaveLength(2);
  });
});
