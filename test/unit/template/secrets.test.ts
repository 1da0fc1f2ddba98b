import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { resolveOutputs } from "#lib/template/functions/resolve.ts";
import { redact, secretTexts } from "#lib/template/secrets.ts";
import { aScope, aTemplate } from "./build.ts";

const template = aTemplate({
  parameters: { p: { type: "json", hidden: true }, q: { type: "json" } },
});
const hiding = (p: Json, q: Json = "shown") => {
  const parameters = new Map<string, Json>(Object.entries({ p, q }));
  return (message: string): string => redact(message, secretTexts(template, parameters));
};

describe("a text that shows hidden values", () => {
  it("shows ****** for each of them, in all forms", () => {
    expect(hiding({ a: ["hunter2", 12345] })("hunter2 and 123456 and shown")).toBe(
      "****** and ******6 and shown",
    );
    expect(hiding("it's\n")("\"it's\\n\" it's\n.")).toBe('"******" ******.');
  });

  it("hides the longest of several, and all parts of those that overlap", () => {
    expect(hiding(["abcd", "abcdef"])("abcdef abcde")).toBe("****** ******e");
    expect(hiding(["abcd", "cdef"])("abcdef")).toBe("******");
  });

  it("hides short ones only as whole words", () => {
    expect(hiding(["ab", 7])("ab cab ab7 7. \u00e97")).toBe("****** cab ab7 ******. \u00e97");
    expect(hiding("")("nothing")).toBe("nothing");
  });

  it("takes little time for many secrets in many texts", () => {
    const secrets = Array.from({ length: 20_000 }, (_, at) => `${at}-secret`);
    const hide = hiding(secrets);
    for (let at = 0; at < 2_000; at += 1) expect(hide(`is ${at}-secret`)).toBe("is ******");
  });

  it("shows nothing where a text is too long to be searched", () => {
    expect(hiding("hunter2")("h".repeat(1_048_577))).toBe("******");
  });

  it("shows nothing where looking for the secrets would take too long", () => {
    const secrets = Array.from({ length: 1_000 }, (_, at) => `${"a".repeat(at + 4)}b`);
    expect(hiding(secrets)("a".repeat(100_000))).toBe("******");
  });

  it("shows a text again after another would have taken too long", () => {
    const secrets = Array.from({ length: 1_000 }, (_, at) => `${"a".repeat(at + 4)}b`);
    const hide = hiding(secrets);
    for (let tries = 0; tries < 3; tries += 1) hide("a".repeat(100_000));
    expect(hide("aaa is free")).toBe("aaa is free");
  });
});

describe("an error of an expression", () => {
  const failing = (from: string, expression: string) => ({
    yaql: { expression, data: { get_param: from } },
  });
  const errorOf = (snippet: JsonObject): string => {
    const scope = aScope({
      parameters: new Map<string, Json>(Object.entries({ p: "hunter2", q: "shown" })),
    });
    const [output] = resolveOutputs(
      template,
      [...aTemplate({ outputs: { o: { value: snippet } } }).outputs.values()],
      scope,
    );
    return output?.error ?? "no error";
  };

  it.each(["int($.data.toUpper())", "float($.data.substring(0, 6))", "$.data.toCharArray().foo()"])(
    "shows no other form of a hidden value: %s",
    (expression) => {
      const error = errorOf(failing("p", expression));
      expect(error).toContain("may show a hidden value");
      expect(error.toLowerCase()).not.toMatch(/hunter|h.*u.*n.*t.*e.*r.*2/);
    },
  );

  it("is shown where it computes with no hidden value", () => {
    expect(errorOf(failing("q", "int($.data.toUpper())"))).toContain("SHOWN");
  });
});
