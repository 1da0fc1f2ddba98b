/** A request evaluates many resources and nested templates. All of them share one budget. */
import { describe, expect, it } from "vitest";
import type { Json } from "#lib/json.ts";
import {
  FOUND_CHARACTERS,
  REQUEST_SEARCHED_CHARACTERS_MAX,
} from "#lib/template/functions/value-budget.ts";
import { at, openWorld } from "../../api/api-world.ts";
import { evaluate } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const VERSION = "2021-04-16";
const TEXT = "v".repeat(20_000);
/** Finds each character of the text 100 times: half of what one evaluation may search. */
const searching: Json = {
  repeat: { template: TEXT, for_each: { v: Array.from({ length: 100 }, () => "") } },
};
const COUNT = REQUEST_SEARCHED_CHARACTERS_MAX / (100 * TEXT.length * FOUND_CHARACTERS) + 1;
const named = (make: () => Json) =>
  Object.fromEntries(Array.from({ length: Math.ceil(COUNT) }, (_, at) => [`r${at}`, make()]));

const refusal = async (resources: Json, files: Json = {}) => {
  const template = { heat_template_version: VERSION, resources };
  const body = { stack_name: "web", template, files };
  const { body: answer } = await openWorld().send("POST", "/stacks/preview", body);
  return at(answer, "error", "message");
};

describe("the search budget of a request", () => {
  it("is shared by all resources", async () => {
    const one = { type: "OS::Heat::Value", properties: { value: searching } };
    expect(await refusal({ r: one })).toBeUndefined();
    expect(await refusal(named(() => one))).toContain('"repeat" searches too much text');
  });

  it("is shared by the conditions of all nested templates", async () => {
    const child = {
      heat_template_version: VERSION,
      conditions: { c: { equals: [{ yaql: { expression: "range(190).sum()", data: {} } }, 1] } },
      resources: { r: { type: "OS::Heat::None", condition: "c" } },
    };
    const nested = Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [`r${at}`, { type: "child.yaml" }]),
    );
    expect(await refusal(nested, { "child.yaml": JSON.stringify(child) })).toContain(
      '"yaql" searches too much text',
    );
  });

  it("bounds what all resources give together, and what becomes JSON", async () => {
    const parameters = {
      p: { type: "json", default: Array(20_000).fill("abcdefgh") },
      text: { type: "string", default: "b".repeat(200_000) },
    };
    const get: Json = { get_param: "p" };
    const unused = { str_replace: { template: "a", params: { c: { get_param: "text" } } } };
    const given = async (count: number, value: Json) => {
      const one = { type: "OS::Heat::Value", properties: { value } };
      const resources = Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, one]));
      const template = { heat_template_version: VERSION, parameters, resources };
      const body = { stack_name: "web", template };
      const { body: answer } = await openWorld().send("POST", "/stacks/preview", body);
      return at(answer, "error", "message");
    };
    expect(await given(300, unused)).toBeUndefined();
    expect(await given(750, unused)).toContain(
      "all functions together may give 134217728 bytes here",
    );
    const joined = { list_join: ["", [get]] };
    expect(await given(10, joined)).toBeUndefined();
    expect(await given(100, joined)).toContain('"list_join" searches too much text');
    const compared = { filter: [["a"], get] };
    expect(await given(300, compared)).toContain('"filter" searches too much text');
    const replaced = { str_replace: { template: "a", params: { a: get } } };
    expect(await given(100, replaced)).toContain('"str_replace" searches too much text');
  });

  it("counts what is found more than what is only searched", () => {
    const found = { repeat: { template: TEXT, for_each: { v: Array(300).fill("") } } };
    expect(failureOf(() => evaluate(found))?.message).toContain("searches too much text");
    const searched = { repeat: { template: TEXT, for_each: { w: Array(50).fill("") } } };
    expect(evaluate(searched)).toHaveLength(50);
    const text = ",".repeat(100_000);
    const split = Array.from({ length: 60 }, () => ({ str_split: [",", text, 1] }));
    expect(failureOf(() => evaluate(split))?.message).toContain("searches too much text");
  });
});
