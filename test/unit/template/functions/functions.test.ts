import { describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import { VERSIONS } from "#lib/template/format.ts";
import { visitReferences } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { BY_LABEL, ERRORS } from "#lib/template/held-attributes.ts";
import { aTemplate, evaluate, LATEST, references } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const inAProperty = (snippet: Json, version?: string) =>
  aTemplate({ resources: { a: { type: "T", properties: { x: snippet } } } }, version);

const parameters = new Map<string, Json>([
  ["name", "db"],
  ["settings", { port: 5432, hosts: ["one", "two"], constructor: "own" }],
]);

describe("get_param", () => {
  it("follows a path through maps and lists, and indexes from the end", () => {
    expect(evaluate({ get_param: ["settings", "hosts", -1] }, { parameters })).toBe("two");
    expect(evaluate({ get_param: ["settings", "hosts", "0"] }, { parameters })).toBe("one");
  });

  it("yields an empty text for a path that does not exist", () => {
    expect(evaluate({ get_param: ["settings", "hosts", 7] }, { parameters })).toBe("");
    expect(evaluate({ get_param: ["settings", "toString"] }, { parameters })).toBe("");
  });

  it("finds a key that is also a name in JavaScript", () => {
    expect(evaluate({ get_param: ["settings", "constructor"] }, { parameters })).toBe("own");
  });

  it("knows only the three pseudo parameters", () => {
    const names = ["OS::stack_name", "OS::stack_id", "OS::project_id"];
    expect(names.map((name) => evaluate({ get_param: name }))).toEqual(["web", "stack-1", "demo"]);
    expect(failureOf(() => evaluate({ get_param: "OS::region" }))).toEqual({
      code: "UserParameterMissing",
      message: "here: The Parameter (OS::region) was not provided.",
    });
  });
});

describe("get_resource", () => {
  it("yields the reference id, or the name while there is no id", () => {
    const resource = references({
      made: { refId: "i-1", attributes: {}, live: true },
      waiting: { refId: null, attributes: {}, live: false },
    });
    expect(evaluate([{ get_resource: "made" }, { get_resource: "waiting" }], { resource })).toEqual(
      ["i-1", "waiting"],
    );
  });
});

describe("get_attr", () => {
  const attributes = { ips: ["10.0.0.1"], tags: { tier: "web" }, show: { raw: true } };
  const resource = references({
    server: { refId: "i-1", attributes, live: true },
    old: { refId: "i-0", attributes, live: false },
    broken: { refId: "i-2", attributes, live: true, failed: true },
  });

  it("reads single attributes of a failed resource, and null for all of them", () => {
    expect(evaluate({ get_attr: ["broken", "ips"] }, { resource })).toEqual(["10.0.0.1"]);
    expect(evaluate({ get_attr: ["broken"] }, { resource })).toBeNull();
  });

  it("follows a path, and reads null if it does not exist", () => {
    expect(evaluate({ get_attr: ["server", "ips", 0] }, { resource })).toBe("10.0.0.1");
    expect(evaluate({ get_attr: ["server", "ips", "0"] }, { resource })).toBeNull();
    expect(evaluate({ get_attr: ["server", "tags", "tier"] }, { resource }, "2013-05-23")).toBe(
      "web",
    );
    expect(evaluate({ get_attr: ["server", "hasOwnProperty"] }, { resource })).toBeNull();
  });

  it("takes a text of one character for a list of one name, as Python does", () => {
    const resource = references({ é: { refId: "i-1", attributes: { a: 1 }, live: true } });
    expect(evaluate({ get_attr: "é" }, { resource })).toEqual({ a: 1 });
    expect(failureOf(() => inAProperty({ get_attr: "ab" }))?.message).toBe(
      'resources.a.properties.x.get_attr: Argument to "get_attr" must be a list',
    );
  });

  it("reads null from a resource that is not live", () => {
    expect(evaluate({ get_attr: ["old", "ips"] }, { resource })).toBeNull();
    expect(evaluate({ get_attr: ["old"] }, { resource })).toBeNull();
  });

  it("reads nothing of what Hearth holds beside the attributes", () => {
    const held = { [BY_LABEL]: { ip: "10.0.0.1" }, [ERRORS]: { id: "it has failed" } };
    const group = { refId: "g-1", attributes: { a: 1, ...held }, live: true };
    const resource = references({ group, other: { ...group, otherType: "OS::Heat::None" } });
    for (const [key, name] of [
      [BY_LABEL, "ip"],
      [ERRORS, "id"],
    ] as const) {
      expect(evaluate({ get_attr: ["group", key] }, { resource })).toBeNull();
      expect(evaluate({ get_attr: ["group", key, name] }, { resource })).toBeNull();
      expect(failureOf(() => evaluate({ get_attr: ["other", key] }, { resource }))?.code).toBe(
        "TemplateOutputError",
      );
    }
    expect(evaluate({ get_attr: ["group", "ip"] }, { resource })).toBe("10.0.0.1");
    expect(evaluate({ get_attr: ["group"] }, { resource })).toEqual({ a: 1 });
  });

  it("yields all attributes except the raw answer, since 2015-10-15", () => {
    const { show: _, ...shown } = attributes;
    expect(evaluate({ get_attr: ["server"] }, { resource })).toEqual(shown);
    expect(failureOf(() => inAProperty({ get_attr: ["a"] }, "2015-04-30"))?.message).toBe(
      'resources.a.properties.x.get_attr: Arguments to "get_attr" must be of the form [resource_name, attribute, (path), ...]',
    );
  });
});

describe("get_file", () => {
  it("yields the text of a file and refuses a missing one", () => {
    const files = { "run.sh": "echo" };
    expect(evaluate({ get_file: "run.sh" }, { files })).toBe("echo");
    expect(failureOf(() => evaluate({ get_file: "toString" }, { files }))?.message).toBe(
      'here: No content found in the "files" section for get_file path: toString',
    );
  });
});

describe("list_join", () => {
  it("joins one list of texts in old versions", () => {
    expect(evaluate({ list_join: ["-", ["a", null, "b"]] }, {}, "2013-05-23")).toBe("a--b");
    expect(failureOf(() => evaluate({ list_join: ["-", [{}]] }, {}, "2013-05-23"))?.message).toBe(
      "here: Items to join must be strings not {}",
    );
  });

  it("shows the first 200 characters of an item that is no text", () => {
    const items = [["\u{1f600}".repeat(300)]];
    expect(failureOf(() => evaluate({ list_join: ["-", items] }, {}, "2013-05-23"))?.message).toBe(
      `here: Items to join must be strings not ['${"\u{1f600}".repeat(198)}`,
    );
  });

  it("joins several lists and writes maps as JSON, since 2015-10-15", () => {
    expect(evaluate({ list_join: [",", ["a"], null, [{ b: 1, a: "é" }]] })).toBe(
      'a,{"a": "\\u00e9", "b": 1}',
    );
  });
});

describe("str_replace", () => {
  const replace = (template: Json, params: Json) => evaluate({ str_replace: { template, params } });

  it("replaces the longest placeholder first, and nothing in inserted text", () => {
    expect(replace("$host:$hostport", { $host: "$hostport", $hostport: 80 })).toBe("$hostport:80");
  });

  it("inserts dollar signs as they are", () => {
    expect(replace("price: X", { X: "$&$1" })).toBe("price: $&$1");
  });

  it("inserts maps as JSON, since 2015-10-15", () => {
    expect(replace("X", { X: { b: [true, null], a: 1.5 } })).toBe('{"a": 1.5, "b": [true, null]}');
    const old = { str_replace: { template: "X", params: { X: {} } } };
    expect(failureOf(() => evaluate(old, {}, "2015-04-30"))?.message).toBe(
      'here: "str_replace" params must be strings or numbers, param X is not valid',
    );
  });

  it("orders keys and placeholders by code points, as Python does", () => {
    expect(replace("X", { X: { "\u{1f600}": 1, "\uffee": 2 } })).toBe(
      '{"\\uffee": 2, "\\ud83d\\ude00": 1}',
    );
    expect(replace("ab\u{1f600}", { "\u{1f600}": "x", ab: "y" })).toBe("yx");
    expect(replace("\u{1f600}a", { "\u{1f600}": "b", a: "c", "\u{1f600}a": "d" })).toBe("d");
    const unused = { "\u{1f600}": 1, bc: 2, "\uffee": 3 };
    const strict = { str_replace_strict: { template: "x", params: unused } };
    expect(failureOf(() => evaluate(strict))?.message).toBe(
      "here: The following params were not found in the template: bc,\uffee,\u{1f600}",
    );
  });

  it("makes a set of the placeholders first, if it is strict", () => {
    const strict = (params: Json) =>
      failureOf(() => evaluate({ str_replace_strict: { template: [], params } }, { parameters }))
        ?.message;
    expect(strict({ contains: [1, [1]] })).toBe("here: 'bool' object is not iterable");
    expect(strict({ list_concat: [[[1]]] })).toBe("here: unhashable type: 'list'");
    expect(strict({ get_param: "name" })).toBe(
      'here: "str_replace_strict" template must be a string',
    );
  });

  it("refuses an empty placeholder", () => {
    expect(failureOf(() => replace("x", { "": "y" }))?.message).toBe("here: empty separator");
  });

  it("replaces hundreds of placeholders in a long text", () => {
    const params = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`<${at}>`, at]));
    const template = Object.keys(params).join(" ").repeat(20);
    expect(String(replace(template, params)).startsWith("0 1 2 ")).toBe(true);
  });
});

describe("the references of calls", () => {
  const referencesIn = (snippet: Json) => {
    const found: unknown[] = [];
    visitReferences(functionsOf(LATEST), snippet, "x", (reference, place) => {
      found.push({ ...reference, place });
    });
    return found;
  };

  it.each<[Json, object]>([
    [{ get_param: "p" }, { kind: "parameter", parameter: "p", place: "x.get_param" }],
    [{ get_param: ["p", 0] }, { kind: "parameter", parameter: "p", place: "x.get_param" }],
    [{ get_resource: "r" }, { kind: "resource", resource: "r", place: "x.get_resource" }],
    [{ get_attr: ["r", "a", 1] }, { kind: "attribute", resource: "r", path: ["a", 1] }],
    [{ get_attr: ["r", null] }, { kind: "attribute", resource: "r", path: [] }],
    [{ get_file: "f" }, { kind: "file", file: "f", place: "x.get_file" }],
  ])("%j", (snippet, reference) => {
    expect(referencesIn(snippet)).toEqual([expect.objectContaining(reference)]);
  });

  it("come from inner calls first", () => {
    const joined = { list_join: ["", [{ get_param: { get_file: "f" } }]] };
    expect(referencesIn(joined)).toEqual([
      { kind: "file", file: "f", place: "x.list_join[1][0].get_param.get_file" },
      { kind: "parameter", parameter: { get_file: "f" }, place: "x.list_join[1][0].get_param" },
    ]);
  });
});

describe("the table of functions", () => {
  it("reads a function of a later version as a plain map", () => {
    const later = { repeat: { template: "x" } };
    expect(evaluate(later, {}, "2014-10-16")).toEqual(later);
  });

  it("refuses the functions that 2014-10-16 removed, with Heat's text", () => {
    expect(failureOf(() => inAProperty({ Ref: "a" }, "2014-10-16"))?.message).toBe(
      "resources.a.properties.x.Ref: The template version is invalid: The function Ref is not supported in this version of HOT.",
    );
  });

  it("reads a map of two keys as data, even if both are functions", () => {
    const data = { get_param: "a", get_file: "b" };
    expect(evaluate(data)).toEqual(data);
  });

  it("never shrinks from version to version", () => {
    const sizes = VERSIONS.map((version) => functionsOf(version).size);
    expect(sizes).toEqual(sizes.toSorted((left, right) => left - right));
  });
});
