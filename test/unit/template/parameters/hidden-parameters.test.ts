import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { hiddenParameterNames, parameterText } from "#lib/template/parameters/parameters.ts";
import { parameterValue, withParameters } from "../build.ts";
import { failureOf } from "../failure-of.ts";

describe("hidden parameters", () => {
  it.each(["false", 1, "no", ["x"]])("are those with %j, which is true in Python", (hidden) => {
    const template = withParameters({ p: { type: "string", hidden } });
    expect([...hiddenParameterNames(template)]).toEqual(["p"]);
  });

  const hidden = (schema: JsonObject) => ({ hidden: true, ...schema });

  it.each<[JsonObject, Json]>([
    [{ type: "number" }, "s3cret"],
    [{ type: "boolean" }, "s3cret"],
    [{ type: "json" }, "{s3cret"],
    [{ type: "string", constraints: [{ allowed_values: ["a"] }] }, "s3cret"],
    [{ type: "string", constraints: [{ allowed_pattern: "a" }] }, "s3cret"],
    [{ type: "string", constraints: [{ custom_constraint: "ip_addr" }] }, "s3cret"],
    [{ type: "string", constraints: [{ custom_constraint: "json_string" }] }, "s3cret"],
    [{ type: "string", constraints: [{ custom_constraint: "nosuch" }] }, "s3cret"],
    [{ type: "number", constraints: [{ range: { max: 5 } }] }, 4711],
    [{ type: "number", constraints: [{ modulo: { step: 2, offset: 0 } }] }, 4711],
  ])("%j shows its value in no error", (schema, value) => {
    const message = failureOf(() => parameterValue(hidden(schema), value))?.message;
    expect(message).toMatch(/^Parameter 'p' is invalid: /);
    expect(message).not.toMatch(/s3cret|4711/);
  });

  it("show no wrong default, and no value in a stack", () => {
    const schema = hidden({
      type: "string",
      default: "s3cret",
      constraints: [{ length: { max: 2 } }],
    });
    expect(failureOf(() => withParameters({ p: schema }))?.message).not.toContain("s3cret");
    const template = withParameters({ p: hidden({ type: "string" }), q: { type: "string" } });
    expect([...hiddenParameterNames(template)]).toEqual(["p"]);
    const p = template.parameters.get("p");
    expect(p && parameterText(p, "s3cret")).toBe("******");
  });
});
