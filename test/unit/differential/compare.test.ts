import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { compare } from "#test/differential/compare.ts";
import { functions } from "#test/differential/functions.ts";

const asked = (value: Json): JsonObject => ({ template: { outputs: { o: { value } } } });
const PLAIN = asked({ get_param: "p" });
const SETS = asked({ yaql: { expression: "set(1)" } });
const MAPPED = asked({ "Fn::FindInMap": ["m", "k", "v"] });
const POWER = asked({ yaql: { expression: "pow(2, 3)" } });
const PATH = asked({ get_attr: ["r", "a", []] });

const gives = (text: string): JsonObject => ({ value: parseJson(text) });
const refuses = (message: string, phase = "resolve"): JsonObject => ({
  phase,
  type: "ValueError",
  message,
});
const kind = (question: JsonObject, theirs: JsonObject, ours: JsonObject): string =>
  compare(functions, question, theirs, ours).kind;

describe("two answers to a question", () => {
  it("are equal with the kinds of numbers and the order of keys", () => {
    expect(kind(PLAIN, gives('{"b": 1.0}'), gives('{"b": 1.0}'))).toBe("equal");
    expect(kind(PLAIN, gives('{"b": 1.0}'), gives('{"b": 1}'))).toBe("different");
    expect(kind(PLAIN, gives('{"b": 1, "a": 2}'), gives('{"a": 2, "b": 1}'))).toBe("different");
  });

  it("have the type of an error only where a request is refused", () => {
    const other = { ...refuses("no"), type: "StackValidationFailed" };
    expect(kind(PLAIN, refuses("no"), other)).toBe("equal");
    const early = { ...other, phase: "validate" };
    expect(kind(PLAIN, refuses("no", "validate"), early)).toBe("different");
  });

  it("may be two refusals under one rule, and lists in any order under another", () => {
    expect(kind(MAPPED, refuses("x"), refuses("y", "validate"))).toBe("known");
    expect(kind(MAPPED, refuses("x"), gives("1"))).toBe("different");
    expect(kind(SETS, gives("[[1, 2], 3]"), gives("[3, [2, 1]]"))).toBe("known");
    expect(kind(SETS, gives("[1, 2]"), gives("[1, 3]"))).toBe("different");
  });

  it("may be a value and a refusal, or anything where Heat fails", () => {
    expect(kind(POWER, gives("1"), refuses("no"))).toBe("known");
    expect(kind(POWER, gives("1"), gives("2"))).toBe("different");
    expect(kind(PATH, refuses("no"), gives("2"))).toBe("known");
  });
});
