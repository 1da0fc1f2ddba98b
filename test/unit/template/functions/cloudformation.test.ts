import { describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import type { Scope } from "#lib/template/scope.ts";
import { aTemplate, evaluate as evaluateIn, references } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const FIRST = "2013-05-23";

const evaluate = (snippet: Json, scope: Partial<Scope> = {}) => evaluateIn(snippet, scope, FIRST);
const problem = (snippet: Json) => failureOf(() => evaluate(snippet))?.message;
const refusal = (value: Json, version = FIRST) =>
  failureOf(() => aTemplate({ outputs: { o: { value } } }, version))?.message;

describe("Ref", () => {
  const scope = {
    parameters: new Map<string, Json>([["size", 5]]),
    resource: references({ web: { refId: "i-1", attributes: {}, live: true } }),
  };

  it("gives a resource, a parameter or a pseudo parameter", () => {
    const names = ["web", "size", "OS::stack_name"];
    expect(names.map((name) => evaluate({ Ref: name }, scope))).toEqual(["i-1", 5, "web"]);
    expect(problem({ Ref: "toString" })).toBe(
      'here: The specified reference "toString" (in unknown) is incorrect.',
    );
  });

  it("makes a resource wait for the one that it names, and for no parameter", () => {
    const { resources } = aTemplate(
      {
        parameters: { p: { type: "string" } },
        resources: {
          a: { type: "T", properties: { x: { Ref: "b" }, y: { Ref: "p" }, z: { Ref: "q" } } },
          b: { type: "T" },
        },
      },
      FIRST,
    );
    expect(resources.get("a")?.requires).toEqual(["b"]);
  });

  it("takes only a name that is written in the template", () => {
    expect(refusal({ Ref: ["a"] })).toBe("outputs.o.value.Ref: unhashable type: 'list'");
    expect(refusal({ Ref: { get_param: "a" } })).toContain("unhashable type");
  });
});

describe("Fn::Select", () => {
  const select = (...args: Json[]) => evaluate({ "Fn::Select": args });

  it("gives an item of a list or a map, or an empty text", () => {
    expect([select(0, ["a"]), select("-1", ["a", "b"]), select(7, ["a"])]).toEqual(["a", "b", ""]);
    expect([select("k", { k: null }), select("toString", {}), select(0, null)]).toEqual([
      null,
      "",
      "",
    ]);
  });

  it("reads a text as JSON", () => {
    expect(select("1", '["a", {"b": 1.0}]')).toEqual({ b: expect.anything() });
    expect(select("1", "")).toBe("");
    expect(problem({ "Fn::Select": [0, "[a]"] })).toBe(
      'here: "Fn::Select": Expecting value: line 1 column 2 (char 1)',
    );
    const deep = "[".repeat(5000) + "]".repeat(5000);
    expect(problem({ "Fn::Select": [0, deep] })).toContain("nested more than 200 levels deep");
  });

  it("refuses a wrong index, and what is no collection", () => {
    expect(problem({ "Fn::Select": ["x", []] })).toBe(
      'here: Index to "Fn::Select" must be an integer',
    );
    expect(problem({ "Fn::Select": [0, {}] })).toBe('here: Index to "Fn::Select" must be a string');
    expect(problem({ "Fn::Select": [0, 5] })).toBe(
      "here: Arguments to Fn::Select not fully resolved",
    );
  });

  it("unpacks its arguments as Python does", () => {
    expect(refusal({ "Fn::Select": 5 })).toBe(
      "outputs.o.value.Fn::Select: cannot unpack non-iterable int object",
    );
    expect(refusal({ "Fn::Select": "abc" })).toBe(
      'outputs.o.value.Fn::Select: Arguments to "Fn::Select" must be of the form [index, collection]',
    );
    expect(evaluate({ "Fn::Select": { "0": 1, '["x"]': 2 } })).toBe("x");
  });
});

describe("the texts of CloudFormation", () => {
  it("joins, splits and replaces", () => {
    expect(evaluate({ "Fn::Join": ["-", { "Fn::Split": [",", "a,b"] }] })).toBe("a-b");
    expect(evaluate({ "Fn::Replace": [{ $a: 1, b: null }, "$a b"] })).toBe("1 ");
    expect(evaluate({ "Fn::Base64": "x" })).toBe("x");
    expect(evaluate({ "Fn::GetAZs": "" })).toEqual(["nova"]);
  });

  it("names itself in its errors", () => {
    expect(problem({ "Fn::Join": [",", "x"] })).toBe('here: "Fn::Join" must operate on a list');
    expect(problem({ "Fn::Replace": [{}, 5] })).toBe(
      'here: "Fn::Replace" template must be a string',
    );
    expect(problem({ "Fn::Split": [",", 5] })).toBe(
      "here: String to split must be string; got <class 'int'>",
    );
    expect(problem({ "Fn::Split": [{ Ref: "x" }, "a"] })).toBe(
      "here: Delimiter for Fn::Split must be string",
    );
    expect(problem({ "Fn::Base64": 5 })).toBe('here: "Fn::Base64" argument must be a string');
    expect(refusal({ "Fn::Replace": "x" })).toBe(
      'outputs.o.value.Fn::Replace: Incorrect arguments to "Fn::Replace" should be: {"Fn::Replace": [ {"$var1": "foo", "%var2%": "bar"}, "$var1 is %var2%"]}',
    );
  });
});

describe("Fn::MemberListToMap", () => {
  const toMap = (items: Json) => evaluate({ "Fn::MemberListToMap": ["Name", "Value", items] });

  it("reads members in the order of their numbers", () => {
    const items = [".member.10.Name=b", ".member.10.Value=2=2", ".member.9.Name=a"];
    expect(toMap([...items, ".member.9.Value=", ".member.1.Name=c", "x=y"])).toEqual({
      a: "",
      b: "2=2",
    });
    expect(toMap([])).toEqual({});
  });

  it("leaves out a number that Python does not read", () => {
    const number = "9".repeat(5000);
    expect(toMap([`.member.${number}.Name=a`, `.member.${number}.Value=b`])).toEqual({});
  });

  it("refuses what is no pair", () => {
    expect(problem({ "Fn::MemberListToMap": ["Name", "Value", ["a=b", "x"]] })).toBe(
      "here: dictionary update sequence element #1 has length 1; 2 is required",
    );
    expect(problem({ "Fn::MemberListToMap": ["Name", "Value", 5] })).toBe(
      "here: Member list must be a list",
    );
    expect(refusal({ "Fn::MemberListToMap": [1, "Value", []] })).toBe(
      "outputs.o.value.Fn::MemberListToMap: Fn::MemberListToMap Key Name must be a string",
    );
  });
});

describe("functions that a version removed", () => {
  it("are refused before their arguments are looked at", () => {
    const removed = (place: string, name: string) =>
      `outputs.o.value.${place}: The template version is invalid: The function ${name} is not supported in this version of HOT.`;
    const snippet = { "Fn::Join": [",", [{ Ref: "x" }]] };
    expect(refusal(snippet, "2014-10-16")).toBe(removed("Fn::Join", "Fn::Join"));
    expect(refusal({ list_join: [",", [{ Ref: "x" }]] }, "2014-10-16")).toBe(
      removed("list_join: [1][0].Ref", "Ref"),
    );
    expect(refusal([{ "1": { x: { Ref: "x" } } }], "2014-10-16")).toBe(
      removed("[0][1].x.Ref", "Ref").replace("value.[", "Value["),
    );
  });
});
