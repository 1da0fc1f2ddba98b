import { describe, expect, it } from "vitest";
import { ExactNumber, type JsonObject } from "#lib/json.ts";
import { environmentIn, readText, templateIn } from "#lib/template/parse/parse.ts";
import { EMPTY_TEMPLATE_SOURCE } from "#lib/template/template.ts";
import { aTemplate, boundTemplate } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const parseTemplateText = (given: string) => templateIn(readText(given));
const text = (body: string) => parseTemplateText(`heat_template_version: 2015-04-30\n${body}`);
const messageOf = (run: () => unknown) => failureOf(run)?.message;
const resources = (definitions: JsonObject, version?: string) =>
  aTemplate({ resources: definitions }, version).resources;
const refusal = (definitions: JsonObject, version?: string) =>
  failureOf(() => resources(definitions, version));

describe("template text", () => {
  it("reads YAML 1.1 as PyYAML does", () => {
    const values = "yes, NO, on, y, 010, 0x1F, 1:30, 1_000, 1e3, 1.5e+3, .inf, ~, 2015-04-30";
    expect(text(`v: [${values}]`)["v"]).toEqual([
      true,
      false,
      true,
      "y",
      8,
      31,
      90,
      1000,
      "1e3",
      new ExactNumber(1500),
      ".inf",
      null,
      "2015-04-30",
    ]);
  });

  it("merges with <<, and the last of equal keys wins", () => {
    const { b, c } = text("a: &a {x: 1, y: 2}\nb: {y: 3, <<: *a}\nc: 1\nc: 2");
    expect({ b, c }).toEqual({ b: { x: 1, y: 3 }, c: 2 });
  });

  it("reads JSON", () => {
    expect(parseTemplateText('{"heat_template_version": "2015-04-30"}')).toEqual({
      heat_template_version: "2015-04-30",
    });
  });

  it("reads a key named __proto__ as a plain key", () => {
    expect(Object.keys(text("__proto__: {polluted: yes}"))).toContain("__proto__");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("names the line and column of a syntax error", () => {
    expect(messageOf(() => text("resources:\n  a: [unclosed"))).toBe(
      [
        "Template not in valid format: Error parsing template [root stack] while parsing a flow sequence",
        '  in "<unicode string>", line 3, column 6:',
        "      a: [unclosed",
        "         ^",
        "expected ',' or ']', but got '<stream end>'",
        '  in "<unicode string>", line 3, column 15:',
        "      a: [unclosed",
        "                  ^",
      ].join("\n"),
    );
  });

  it.each([
    ["- a", "The template is not a JSON object or YAML mapping."],
    ["5", "The template is not a JSON object or YAML mapping."],
    ["", "Template format version not found."],
    ["resources: {}", "Template format version not found."],
  ])("refuses %j", (body, reason) => {
    expect(failureOf(() => parseTemplateText(body))).toEqual({
      code: "HTTPBadRequest",
      message: `Template not in valid format: ${reason}`,
    });
  });

  it("refuses aliases that expand to a huge document", () => {
    const levels = Array.from({ length: 12 }, (_, at) => {
      const items = Array.from({ length: 9 }, () => (at === 0 ? "x" : `*a${at - 1}`));
      return `a${at}: &a${at} [${items.join(", ")}]`;
    });
    expect(messageOf(() => text(levels.join("\n")))).toMatch(/^Template not in valid format: /);
    const long = `a: &a ${"x".repeat(10_000)}\nb: [${"*a, ".repeat(2_000)}]`;
    expect(messageOf(() => text(long))).toMatch(/more than \d+ characters$/);
  });

  it("refuses a text with several documents", () => {
    expect(messageOf(() => text("a: 1\n---\nb: 2\n"))).toBe(
      [
        "Template not in valid format: Error parsing template [root stack] expected a single document in the stream",
        '  in "<unicode string>", line 1, column 1:',
        "    heat_template_version: 2015-04-30",
        "    ^",
        "but found another document",
        '  in "<unicode string>", line 3, column 1:',
        "    ---",
        "    ^",
      ].join("\n"),
    );
  });

  it("refuses a document that is nested too deeply", () => {
    const deep = ['{"a":'.repeat(5_000), 1, "}".repeat(5_000)].join("");
    expect(messageOf(() => parseTemplateText(deep))).toMatch(/nested more than 200 levels deep$/);
    expect(messageOf(() => text(`a: ${"[".repeat(5_000)}${"]".repeat(5_000)}`))).toMatch(
      /nested more than 200 levels deep$/,
    );
  });

  it("refuses an environment that is not a map", () => {
    expect(messageOf(() => environmentIn(readText("- a")))).toBe(
      "Environment not in valid format: The environment is not a valid YAML mapping data type.",
    );
  });
});

describe("sections", () => {
  it("reads the empty template", () => {
    const { resources: none, outputs, version } = aTemplate(EMPTY_TEMPLATE_SOURCE);
    expect([none.size, outputs.size, version]).toEqual([0, 0, "2021-04-16"]);
  });

  it("reads a release name as its date", () => {
    expect(aTemplate({}, "pike").version).toBe("2017-09-01");
  });

  it.each(["stein", "toString", "2019-01-01"])(
    "refuses the version %s and names the known ones",
    (version) => {
      expect(failureOf(() => aTemplate({}, version))).toMatchObject({
        code: "InvalidTemplateVersion",
        message: expect.stringMatching(/should be one of: 2013-05-23, .*, wallaby$/),
      });
    },
  );

  it("knows conditions since 2016-10-14", () => {
    expect(aTemplate({ conditions: {} }, "2016-10-14").resources.size).toBe(0);
    expect(messageOf(() => aTemplate({ conditions: {} }, "2015-04-30"))).toBe(
      "The template section is invalid: conditions",
    );
  });

  it("refuses a name of both a parameter and a resource", () => {
    const sections = { parameters: { r: { type: "string" } }, resources: { r: { type: "T" } } };
    expect(messageOf(() => aTemplate(sections))).toBe("Duplicate names {'r'}");
    const two = { b: { type: "string" }, a: { type: "string" } };
    const both = { parameters: two, resources: { a: { type: "T" }, b: { type: "T" } } };
    expect(messageOf(() => aTemplate(both))).toBe("Duplicate names {'a', 'b'}");
  });
});

describe("resource definitions", () => {
  it("collects the requirements of a resource, sorted and unique", () => {
    const definitions = resources({
      z: { type: "T" },
      b: { type: "T" },
      a: { type: "T" },
      user: {
        type: "T",
        depends_on: ["z", "b"],
        properties: {
          p: [{ get_attr: ["a", "x"] }, { list_join: [",", [{ get_resource: "z" }]] }],
        },
        metadata: { m: { get_resource: "b" } },
      },
    });
    expect(definitions.get("user")?.requires).toEqual(["a", "b", "z"]);
  });

  it("fills in defaults", () => {
    expect(resources({ r: { type: "T" } }).get("r")).toEqual({
      name: "r",
      type: "T",
      properties: {},
      dependsOn: [],
      metadata: {},
      deletionPolicy: "Delete",
      updatePolicy: {},
      description: "",
      externalId: null,
      requires: [],
    });
  });

  it("takes nothing else of a resource with an external_id", () => {
    const definitions = resources({
      other: { type: "T" },
      r: {
        type: "T",
        external_id: { str_split: [",", "x,y", 1] },
        properties: { a: { get_resource: "other" } },
        metadata: { b: { get_resource: "other" }, c: { get_resource: "nope" } },
        deletion_policy: "Delete",
      },
    });
    expect(definitions.get("r")).toMatchObject({
      externalId: "y",
      properties: {},
      deletionPolicy: "Retain",
      requires: [],
    });
  });

  it("refuses an empty external_id, one of a wrong shape, and dependencies beside it", () => {
    expect(refusal({ r: { type: "T", external_id: "" } })?.message).toBe(
      "resources.r.external_id: The id must not be empty",
    );
    expect(refusal({ r: { type: "T", external_id: 7 } })?.message).toBe(
      "Resource r external_id type must be string",
    );
    const r = { type: "T", external_id: "x", depends_on: ["r"] };
    expect(refusal({ r })).toMatchObject({
      code: "InvalidExternalResourceDependency",
      message: "Invalid dependency with external T resource: x",
    });
  });

  it("reads lower-case deletion policies since 2016-10-14", () => {
    const retained = { r: { type: "T", deletion_policy: "retain" } };
    expect(resources(retained).get("r")?.deletionPolicy).toBe("Retain");
    expect(refusal(retained, "2016-04-08")?.message).toBe('Invalid deletion policy "retain"');
  });

  it("refuses words of later versions", () => {
    const r = { type: "T", external_id: "x", condition: true };
    expect(refusal({ r }, "2016-04-08")?.message).toBe(
      "Invalid keyword(s) inside a resource definition: condition, external_id",
    );
    expect(refusal({ r }, "2016-10-14")).toBeNull();
  });

  it("refuses a name with a slash", () => {
    expect(refusal({ "a/b": { type: "T" } })?.message).toBe('Resource name may not contain "/"');
    expect(refusal({ ["n".repeat(256)]: { type: "T" } })?.message).toBe(
      `Resource name may not be longer than 255 characters: ${"n".repeat(40)}...`,
    );
    expect(refusal({ ["n".repeat(255)]: { type: "T" } })).toBeNull();
  });

  it.each([
    [{ depends_on: ["nope"] }, 'The specified reference "nope" (in r) is incorrect.'],
    [
      { properties: { p: { get_resource: "nope" } } },
      'The specified reference "nope" (in r.Properties.p) is incorrect.',
    ],
    [
      { properties: { p: [{ get_attr: ["nope", "x"] }] } },
      'The specified reference "nope" (in r.Properties.p[0]) is incorrect.',
    ],
    [
      { metadata: { m: { get_resource: "toString" } } },
      'The specified reference "toString" (in r.Metadata.m) is incorrect.',
    ],
  ])("refuses an unknown reference: %j", (more, message) => {
    expect(refusal({ r: { type: "T", ...more } })).toEqual({
      code: "InvalidTemplateReference",
      message,
    });
  });

  it("computes the name of a resource from parameters", () => {
    const source = {
      heat_template_version: "2021-04-16",
      parameters: { n: { type: "string", default: "a" } },
      resources: {
        a: { type: "T" },
        r: { type: "T", properties: { p: { get_resource: { get_param: "n" } } } },
      },
    };
    expect(boundTemplate(source).resources.get("r")?.requires).toEqual(["a"]);
    expect(messageOf(() => boundTemplate(source, { n: "b" }))).toBe(
      'The specified reference "b" (in r.Properties.p) is incorrect.',
    );
  });
});

describe("cycles", () => {
  it("names the members, but not the resources that only wait for them", () => {
    const failure = refusal({
      user: { type: "OS::Heat::Value", depends_on: "a" },
      a: { type: "OS::Heat::RandomString", properties: { salt: { get_resource: "b" } } },
      b: { type: "OS::Heat::Value", depends_on: ["a", "leaf"] },
      leaf: { type: "OS::Heat::Value" },
    });
    expect(failure).toEqual({
      code: "CircularDependencyException",
      message:
        'Circular Dependency Found: {RandomString "a": {Value "b"}, Value "b": {RandomString "a"}}',
    });
  });

  it("finds a resource that requires itself", () => {
    expect(refusal({ r: { type: "T", properties: { p: { get_resource: "r" } } } })?.message).toBe(
      'Circular Dependency Found: {T "r": {T "r"}}',
    );
  });

  it("reads a chain of 10,000 resources, and names only some members of a long cycle", () => {
    const chain = (first: JsonObject) =>
      Object.fromEntries(
        Array.from({ length: 10_000 }, (_, at) => [
          `r${at}`,
          at === 0 ? first : { type: "T", depends_on: `r${at - 1}` },
        ]),
      );
    expect(resources(chain({ type: "T" })).size).toBe(10_000);
    const message = refusal(chain({ type: "T", depends_on: "r9999" }))?.message ?? "";
    expect(message).toMatch(/, \.\.\.\}$/);
    expect(message.length).toBeLessThan(2_000);
  });
});

describe("outputs", () => {
  it("keep their calls, even with unknown references", () => {
    const { outputs } = aTemplate({ outputs: { o: { value: { get_resource: "nope" } } } });
    expect(outputs.get("o")).toEqual({
      name: "o",
      description: "No description given",
      value: { get_resource: "nope" },
    });
  });

  it("must be maps with a value", () => {
    expect(messageOf(() => aTemplate({ outputs: { o: "x" } }))).toBe(
      "Output validation error: outputs.o: Output definitions must be a map. Found a str instead",
    );
    expect(messageOf(() => aTemplate({ outputs: { o: {} } }))).toBe(
      "Output validation error: outputs.o: Each output definition must contain a value key.",
    );
  });
});
