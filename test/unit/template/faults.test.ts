import { describe, expect, it } from "vitest";
import { RequestError, validationFailed } from "#lib/errors.ts";
import { nestedError, nestedPlace } from "#lib/template/faults.ts";

const told = (error: unknown): string => nestedError(error, "Resources.a<x.yaml>").message;

describe("an error of a nested template", () => {
  it("has the place in the words of the template above", () => {
    expect(nestedPlace({ version: "2015-04-30" }, "a", "x.yaml")).toBe("resources.a<x.yaml>");
    expect(nestedPlace({ version: "2015-04-30" }, "7", null)).toBe("resources[7]");
    expect(nestedPlace({ version: "AWSTemplateFormatVersion.2010-09-09" }, "a", "x.yaml")).toBe(
      "Resources.a<x.yaml>",
    );
  });

  it("keeps its own place and its class", () => {
    expect(told(validationFailed("Property error: resources.b.properties: no"))).toBe(
      "Property error: Resources.a<x.yaml>.resources.b.properties: no",
    );
    expect(told(validationFailed("no such type"))).toBe("Resources.a<x.yaml>: no such type");
    expect(told(new RequestError("ValueError", 400, "no"))).toBe(
      "ValueError: Resources.a<x.yaml>: no",
    );
    const fault = new TypeError("no");
    expect(() => told(fault)).toThrow(fault);
  });
});
