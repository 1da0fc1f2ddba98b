import { describe, expect, it } from "vitest";
import { sdkError } from "#providers/cloud-control/account/session.ts";

const errorOf = (name: string, httpStatusCode: number): Error =>
  Object.assign(new Error("why"), { name, $metadata: { httpStatusCode } });

describe("an error of AWS", () => {
  it.each([
    ["RequestLimitExceeded", 503],
    ["InternalError", 500],
    ["Unavailable", 503],
  ])("is asked again later: %s", (name, status) => {
    expect(sdkError(errorOf(name, status), 2)).toMatchObject({ name: "TryAgain", afterSeconds: 2 });
  });

  it.each([
    ["AddressLimitExceeded", 400],
    ["InsufficientFreeAddressesInSubnet", 400],
    ["InsufficientInstanceCapacity", 500],
    ["InsufficientAddressCapacity", 500],
  ])("fails the resource: %s", (name, status) => {
    expect(sdkError(errorOf(name, status), 2)).toMatchObject({ name: "Refused", code: name });
  });

  it("is asked again when AWS's client has noticed that the clock was off", () => {
    const error = errorOf("SignatureDoesNotMatch", 403);
    expect(sdkError(error, 2)).toMatchObject({ name: "Refused" });
    const $metadata = { httpStatusCode: 403, clockSkewCorrected: true };
    expect(sdkError(Object.assign(error, { $metadata }), 2)).toMatchObject({ name: "TryAgain" });
    const other = Object.assign(errorOf("ValidationException", 400), { $metadata });
    expect(sdkError(other, 2)).toMatchObject({ name: "Refused" });
  });

  it("is asked again later if there was no answer", () => {
    expect(sdkError(new Error("socket hang up"), 2).name).toBe("TryAgain");
  });
});
