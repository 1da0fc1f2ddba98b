import { describe, expect, it } from "vitest";
import { startFailure } from "../../../../apps/cli/serve/start-failure.ts";

const said = (error: unknown): string => startFailure(error, "data").message;

describe("the sentence about a start that failed", () => {
  it("is one line that ends as a sentence does", () => {
    expect(said(new Error("hearth.db cannot be used: the disk is full"))).toBe(
      "Hearth cannot start: hearth.db cannot be used: the disk is full.",
    );
    expect(said(new Error("it broke.\n  And more."))).toBe(
      "Hearth cannot start: it broke. And more.",
    );
    expect(said("thrown text")).toBe("Hearth cannot start: thrown text.");
  });

  it("names the address that is taken", () => {
    const taken = Object.assign(new Error("listen"), {
      code: "EADDRINUSE",
      address: "127.0.0.1",
      port: 80,
    });
    expect(said(taken)).toBe("Port 80 of 127.0.0.1 is taken.");
  });
});
