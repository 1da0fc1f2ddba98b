import { describe, expect, it } from "vitest";
import { addedTo, restAfter } from "../../../../apps/cli/deployment/logs.ts";
import { jsonText, maskedJsonText, shownText } from "../../../../apps/cli/print.ts";

describe("following a log", () => {
  it("continues after the last report", () => {
    expect(addedTo("", "abc")).toBe("abc");
    expect(addedTo("abc", "abcd")).toBe("d");
    expect(addedTo("abc", "bcde")).toBe("de");
    expect(addedTo("abc", "abc")).toBe("");
    expect(addedTo("abc", "xyz")).toBe("xyz");
  });

  it("ends with the rest that was not shown", () => {
    expect(restAfter("", "abc")).toBe("abc");
    expect(restAfter("bc", "abcde")).toBe("de");
    expect(restAfter("bcde", "abcde")).toBe("");
    expect(restAfter("other", "abc")).toBe("abc");
  });

  it("does not control a terminal, and is unchanged in a pipe", () => {
    const text = "\u001b[2Ja\tb\r\nc\u009b\u202e\u2066";
    expect(shownText(text, true)).toBe("[2Ja\tb\nc");
    expect(shownText(text, false)).toBe(text);
    for (const json of [jsonText({ text }), maskedJsonText({ text })]) {
      expect(json).not.toMatch(/[^\P{Cc}\n]|[\u202e\u2066]/u);
      expect(JSON.parse(json)).toEqual({ text });
    }
  });
});
