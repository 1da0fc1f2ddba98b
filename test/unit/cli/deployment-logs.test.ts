import { describe, expect, it } from "vitest";
import { addedTo, restAfter, shownText } from "../../../cli/deployment/logs.ts";

describe("a log that is followed by its ends", () => {
  it("goes on where the former end left off", () => {
    expect(addedTo("", "abc")).toBe("abc");
    expect(addedTo("abc", "abcd")).toBe("d");
    expect(addedTo("abc", "bcde")).toBe("de");
    expect(addedTo("abc", "abc")).toBe("");
    expect(addedTo("abc", "xyz")).toBe("xyz");
  });

  it("ends with what of the whole was not shown", () => {
    expect(restAfter("", "abc")).toBe("abc");
    expect(restAfter("bc", "abcde")).toBe("de");
    expect(restAfter("bcde", "abcde")).toBe("");
    expect(restAfter("other", "abc")).toBe("abc");
  });

  it("does not steer a terminal, and is as it was printed anywhere else", () => {
    const text = "\u001b[2Ja\tb\r\nc\u009b";
    expect(shownText(text, true)).toBe("[2Ja\tb\nc");
    expect(shownText(text, false)).toBe(text);
  });
});
