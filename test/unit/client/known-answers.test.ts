import { describe, expect, it } from "vitest";
import { knownAnswers } from "#client/known-answers.ts";

const MANY = 200;
const LARGE = "x".repeat(9_000_000);

describe("answers that a client keeps", () => {
  it("are found by their path until they are replaced or forgotten", () => {
    const known = knownAnswers();
    known.keep("/a", { tag: "1", text: "one" });
    known.keep("/a", { tag: "2", text: "two" });
    expect(known.find("/a")).toEqual({ tag: "2", text: "two" });
    known.clear();
    expect(known.find("/a")).toBeUndefined();
  });

  it("are not too many: the oldest go first", () => {
    const known = knownAnswers();
    for (let at = 0; at < MANY; at += 1) known.keep(`/${at}`, { tag: "t", text: "" });
    expect(known.find("/0")).toBeUndefined();
    expect(known.find(`/${MANY - 1}`)).toBeDefined();
  });

  it("are not too large together", () => {
    const known = knownAnswers();
    for (const path of ["/a", "/b", "/a", "/c"]) known.keep(path, { tag: "t", text: LARGE });
    expect(["/a", "/b", "/c"].map((path) => known.find(path) !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });
});
