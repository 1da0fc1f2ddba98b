import { describe, expect, it } from "vitest";
import { drawNames, memberName } from "#lib/groups/names.ts";
import { byAge, firstToGo, resized } from "#lib/groups/scaling-steps.ts";
import { failed, serving } from "./members.ts";

const draw = () => drawNames((number) => `n${number}`, []);

describe("the members of a scaling group", () => {
  it("go after those without their definition, and in a rollback the youngest first", () => {
    const members = serving("a", "b", "c").map((member) => ({
      ...member,
      isUpToDate: member.name === "a",
    }));
    expect(firstToGo(members)).toEqual(["b", "c", "a"]);
    expect(firstToGo(members, true)).toEqual(["c", "b", "a"]);
  });

  it("go in Heat's order: the failed ones, then the oldest", () => {
    const [a, b, c] = serving("a", "b", "c");
    const [x, y] = failed("x", "y");
    const members = [a, x, b, y, c].flatMap((member) => member ?? []);
    expect(firstToGo(members)).toEqual(["x", "y", "a", "b", "c"]);
    expect(resized(members, 2, draw())).toEqual(["b", "c"]);
    expect(resized(members, 0, draw())).toEqual([]);
    expect(resized(members, 7, draw())).toEqual(["x", "y", "a", "b", "c", "n0", "n1"]);
  });

  it("keep their places in the record", () => {
    expect(byAge(["new", "c", "a"], serving("a", "b", "c"))).toEqual(["a", "c", "new"]);
  });
});

describe("the name of a new member", () => {
  const derive = (...parts: readonly string[]): string => {
    expect(parts).toEqual(["group member", "token", "7", "3"]);
    return "00443214-c742-854b-a000-000000000000";
  };

  it("is twelve characters of the bits that differ between UUIDs", () => {
    const seed = { token: "token", statusVersion: 7 };
    // The digits 00443214c74254b in base 32.
    expect(memberName(derive, seed, 3)).toBe("abcdefghijkl");
  });

  it("needs a UUID", () => {
    const seed = { token: "token", statusVersion: 7 };
    expect(() => memberName(() => "no", seed, 0)).toThrow("the name of a member needs a UUID");
  });

  it("is never one that a member has, and names of one age are in their order", () => {
    const names = ["c", "b", "a", "b", "e", "d"];
    const next = drawNames((number) => names[number] ?? `n${number}`, ["a"]);
    expect(next(2)).toEqual(["b", "c"]);
    expect(next(0)).toEqual([]);
    expect(next(2)).toEqual(["d", "e"]);
  });
});
