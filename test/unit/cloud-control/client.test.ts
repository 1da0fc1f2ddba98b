import { describe, expect, it } from "vitest";
import { CallerRefused } from "#provider/errors.ts";
import { asked, NoRole, Refused, TryAgain } from "#providers/cloud-control/client.ts";

const failing = (error: Error) => asked(() => Promise.reject(error));

describe("a refusal of AWS", () => {
  it.each([
    new Refused("AccessDenied", "not authorized to perform sts:AssumeRole"),
    new Refused("UnauthorizedOperation", "no"),
    new Refused("CredentialsProviderError", "no credentials"),
    new NoRole("no role"),
  ])("of the caller says nothing of an earlier call: %s", async (error) => {
    await expect(failing(error)).rejects.toThrow(CallerRefused);
    await expect(failing(error)).rejects.toThrow(error.message);
  });

  it("of the call fails the resource", async () => {
    expect(await failing(new Refused("ValidationException", "no such property"))).toEqual({
      state: "failed",
      reason: "AWS: ValidationException: no such property",
    });
  });

  it("for now is asked again", async () => {
    expect(await failing(new TryAgain("busy", 3))).toEqual({
      state: "throttled",
      afterSeconds: 3,
      reason: "busy",
    });
  });
});
