import { describe, expect, it } from "vitest";
import { checkSize, GROUP_MEMBERS_MAX, indexNames, indexOf } from "#lib/groups/names.ts";
import { skipListOfCreate, skipListOfUpdate } from "#lib/groups/resource-group-plan.ts";
import type { Json } from "#lib/json.ts";

const policies = (...entries: readonly Json[]): Json => [{ resource_list: entries }];

describe("the names of a ResourceGroup", () => {
  it("are the first free numbers", () => {
    expect(indexNames(3, [])).toEqual(["0", "1", "2"]);
    expect(indexNames(3, ["1", "3", "x", "01"])).toEqual(["0", "2", "4"]);
    expect(indexNames(0, ["0"])).toEqual([]);
  });

  it("are numbers in one form only", () => {
    expect(["0", "17", "01", "-1", "1.0", "", "x", "9".repeat(16)].map(indexOf)).toEqual([
      0,
      17,
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it("are at most as many as a group may have", () => {
    expect(() => checkSize(GROUP_MEMBERS_MAX)).not.toThrow();
    expect(() => checkSize(GROUP_MEMBERS_MAX + 1)).toThrow(
      "Request limit exceeded: a group may have at most 10000 members, and this one asks for 10001",
    );
  });
});

describe("the skip list of a create", () => {
  it("has every entry as Python's text, sorted as text", () => {
    expect(skipListOfCreate(policies("10", 2, "x", 1, true, null))).toEqual([
      "1",
      "10",
      "2",
      "None",
      "True",
      "x",
    ]);
  });

  it("has the entries of all policies, and needs none", () => {
    expect(skipListOfCreate([{ resource_list: ["3"] }, {}, { resource_list: ["1"] }])).toEqual([
      "1",
      "3",
    ]);
    expect(skipListOfCreate([])).toEqual([]);
    expect(skipListOfCreate(policies(""))).toEqual([]);
  });

  it("divides an entry at its commas, because Heat stores one text", () => {
    expect(skipListOfCreate(policies("5,6"))).toEqual(["5", "6"]);
  });
});

describe("the skip list of an update", () => {
  const found = {
    skip: ["0", "7"],
    members: new Set(["1", "2", "3"]),
    references: new Map<string, Json>([
      ["1", "one"],
      ["2", "5"],
      ["3", "5"],
    ]),
  };

  it("takes names of members, names of the list, and references", () => {
    expect(skipListOfUpdate(policies("2", "7", "one"), "update", found)).toEqual(["1", "2", "7"]);
  });

  it("takes an integer for a name, and never for a reference", () => {
    expect(skipListOfUpdate(policies(3), "update", found)).toEqual(["3"]);
    const references = new Map<string, Json>([["1", 5]]);
    expect(skipListOfUpdate(policies(5), "update", { ...found, references })).toEqual([]);
  });

  it("takes the first member of a reference", () => {
    expect(skipListOfUpdate(policies("5"), "update", found)).toEqual(["2"]);
  });

  it("looks at each entry once, however many members there are", () => {
    const names = Array.from({ length: GROUP_MEMBERS_MAX }, (_, at) => String(at));
    const references = new Map<string, Json>(names.map((name) => [name, `object-${name}`]));
    let visits = 0;
    const counted = new Proxy(references, {
      get: (target, key) => {
        if (key === Symbol.iterator) visits += 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const entries = names.slice(0, 100).map((name) => `object-${name}`);
    const wanted = names.slice(0, 100).sort();
    const skip = skipListOfUpdate(policies(...entries), "update", {
      skip: [],
      members: new Set(names),
      references: counted,
    });
    expect(skip).toEqual(wanted);
    expect(visits).toBe(1);
  });

  it("ignores what it does not know", () => {
    expect(skipListOfUpdate(policies("9", "x", null), "append", found)).toEqual(["0", "7"]);
  });

  it("keeps the old names in the mode append, and forgets them in the mode update", () => {
    expect(skipListOfUpdate(policies("2"), "append", found)).toEqual(["0", "2", "7"]);
    expect(skipListOfUpdate(policies("2"), "update", found)).toEqual(["2"]);
    expect(skipListOfUpdate([], "update", found)).toEqual([]);
  });
});
