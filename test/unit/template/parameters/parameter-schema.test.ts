import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { aTemplate, LATEST, parameterValues, withParameters } from "../build.ts";
import { failureOf } from "../failure-of.ts";

describe("definitions of parameters", () => {
  it.each([
    [{ type: "string", bogus: 1 }, "Invalid key 'bogus' for parameter (p)"],
    [{}, "Missing parameter type for parameter: p"],
    [{ type: "text" }, "Invalid type (text)"],
    [
      { type: "string", constraints: "x" },
      "Invalid parameter constraints for parameter p, expected a list",
    ],
    [{ type: "string", constraints: [{}] }, "No constraint expressed"],
    [
      { type: "json", constraints: [{ range: { min: 1 } }] },
      "Parameter 'p' is invalid: Range constraint invalid for json",
    ],
    [
      { type: "string", constraints: [{ length: {} }] },
      "A length constraint must have a min value and/or a max value specified.",
    ],
    [
      { type: "string", constraints: [{ length: { min: 1.5 } }] },
      "min/max length must be integral",
    ],
    [
      { type: "number", constraints: [{ range: {} }] },
      "A range constraint must have a min value and/or a max value specified.",
    ],
    [
      { type: "number", constraints: [{ modulo: { step: 2 } }] },
      "A modulo constraint must have a step value and an offset value specified.",
    ],
    [
      { type: "number", constraints: [{ modulo: { step: 2.5, offset: 0 } }] },
      "step/offset must be integer",
    ],
    [
      { type: "number", default: 9, constraints: [{ range: { max: 5 } }] },
      "Parameter 'p' is invalid: Invalid default 9 (9 is out of range (min: None, max: 5))",
    ],
    [
      { type: "string", constraints: [{ allowed_pattern: "(" }] },
      'AllowedPattern "(" is not a regular expression: missing ), unterminated subpattern at position 0',
    ],
    [
      { type: "string", constraints: [{ allowed_pattern: "(a)\\2" }] },
      'AllowedPattern "(a)\\2" is not a regular expression: invalid group reference 2 at position 4',
    ],
  ])("refuses %j", (schema, message) => {
    expect(failureOf(() => withParameters({ p: schema }))).toEqual({
      code: "InvalidSchemaError",
      message,
    });
  });

  it("knows modulo since 2017-02-24 and tags since 2018-03-02", () => {
    const refused = (schema: JsonObject, version: string) =>
      failureOf(() => aTemplate({ parameters: { p: schema } }, version))?.message;
    const modulo = { type: "number", constraints: [{ modulo: { step: 2, offset: 0 } }] };
    expect(refused(modulo, "2017-02-24")).toBeUndefined();
    expect(refused(modulo, "2016-10-14")).toBe("No constraint expressed");
    expect(refused({ type: "string", tags: ["a"] }, "2017-09-01")).toBe(
      "Invalid key 'tags' for parameter (p)",
    );
  });
});

describe("the order in which parameters are checked", () => {
  const bad = { type: "number", default: 9, constraints: [{ range: { max: 5 } }] };
  const messageOf = (sections: JsonObject, given: JsonObject = {}) => {
    const source = { heat_template_version: LATEST, ...sections };
    return failureOf(() => parameterValues(parseTemplate(source), given, {}))?.message;
  };

  it("is unknown ones first, and then schema and value of each in the template's order", () => {
    const parameters = { a: { type: "number" }, b: bad };
    expect(messageOf({ parameters }, { a: "x", c: 1 })).toContain("The Parameter (c)");
    expect(messageOf({ parameters }, { a: "x" })).toContain("could not convert");
    expect(messageOf({ parameters }, { a: "1" })).toContain("Invalid default 9");
    expect(messageOf({ parameters: { b: bad, a: { type: "number" } } })).toContain(
      "Invalid default",
    );
  });

  it("is the definitions of parameters before the other sections", () => {
    const resources = { r: {} };
    expect(messageOf({ parameters: { a: {} }, resources, bogus: 1 })).toBe(
      "Missing parameter type for parameter: a",
    );
    expect(messageOf({ parameters: { a: { type: "number" } }, resources }, { b: 1 })).toBe(
      "Each resource must contain a type key.",
    );
  });

  it("is the groups after all values", () => {
    const parameter_groups = [{ label: "l", parameters: ["nosuch"] }];
    const sections = { parameters: { a: { type: "number" } }, parameter_groups };
    expect(messageOf(sections)).toContain("The Parameter (a) was not provided.");
    expect(messageOf(sections, { a: 1 })).toContain("The grouped parameter nosuch");
  });

  it("is the constraints of a schema before its type", () => {
    const schema = { type: "text", constraints: [{}] };
    expect(messageOf({ parameters: { a: schema } })).toBe("No constraint expressed");
  });
});
