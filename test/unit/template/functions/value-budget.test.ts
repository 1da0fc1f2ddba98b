/** Without these limits, some kilobytes of template would make gigabytes. */
import { describe, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import { type Json, type JsonObject, parseJson } from "#lib/json.ts";
import { resolveOutputs, resolveProperties } from "#lib/template/functions/resolve.ts";
import {
  ERROR_CHARACTERS_MAX,
  EVALUATION_BYTES_MAX,
  jsonBytes,
  RESOURCE_VALUES_BYTES_MIN,
  requestBudget,
  SEARCHED_CHARACTERS_MAX,
  STACK_VALUES_BYTES_MAX,
  VALUE_BYTES_MAX,
  valueBudget,
} from "#lib/template/functions/value-budget.ts";
import { aScope, aTemplate, evaluate, references } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const tooLarge = (name: string) => ({
  code: "ValueTooLarge",
  message: `here: The result of "${name}" is too large: a value may have ${VALUE_BYTES_MAX} bytes.`,
});

/** A text whose JSON has so many bytes. */
const ofBytes = (bytes: number): string => "x".repeat(bytes - 2);

const replaced = (characters: number): Json => ({
  str_replace: { template: "a".repeat(characters), params: { a: "b".repeat(characters) } },
});

const doubled = (times: number): Json =>
  Array.from({ length: times }).reduce<Json>(
    (inner) => ({ str_replace: { template: "aa", params: { a: inner } } }),
    "b".repeat(16),
  );

describe("one value", () => {
  it("is refused before a function builds it", () => {
    expect(failureOf(() => evaluate(replaced(12_000)))).toEqual(tooLarge("str_replace"));
    const joined = { list_join: ["b".repeat(12_000), Array(12_000).fill("")] };
    expect(failureOf(() => evaluate(joined))).toEqual(tooLarge("list_join"));
    expect(failureOf(() => evaluate(joined, {}, "2013-05-23"))).toEqual(tooLarge("list_join"));
  });

  it("is refused where nested calls double it", () => {
    expect(failureOf(() => evaluate(doubled(24)))).toEqual(tooLarge("str_replace"));
    expect(String(evaluate(doubled(10))).length).toBe(16 * 1_024);
  });

  it("may have exactly the limit, whatever function gives it", () => {
    const most = ofBytes(VALUE_BYTES_MAX);
    const larger = `${most}x`;
    const given: readonly (readonly [string, Json, (text: string) => object])[] = [
      ["get_param", { get_param: "p" }, (text) => ({ parameters: new Map([["p", text]]) })],
      ["get_file", { get_file: "f" }, (text) => ({ files: { f: text } })],
      [
        "get_attr",
        { get_attr: ["r", "a"] },
        (text) => ({
          resource: references({ r: { refId: "1", attributes: { a: text }, live: true } }),
        }),
      ],
      [
        "get_resource",
        { get_resource: "r" },
        (text) => ({ resource: references({ r: { refId: text, attributes: {}, live: true } }) }),
      ],
    ];
    for (const [name, snippet, scope] of given) {
      expect(evaluate(snippet, scope(most)), name).toBe(most);
      expect(
        failureOf(() => evaluate(snippet, scope(larger))),
        name,
      ).toEqual(tooLarge(name));
    }
  });

  it("counts every character of ASCII as JSON writes it", () => {
    for (let code = 0; code < 0x7f; code += 1) {
      const text = String.fromCharCode(code).repeat(9);
      expect(jsonBytes(text, 1_000), `character ${code}`).toBe(JSON.stringify(text).length);
    }
  });

  it("counts bytes of UTF-8 and of JSON's escapes", () => {
    const numbers = parseJson("[1.0,123456789012345678901234567890,1e+20]");
    const texts = ['é€\u{1f600}\n\u0001"\\', { "k\n": ["é", 1.5, null, true] }];
    for (const value of [...texts, [], {}, [[]], 12, numbers]) {
      const exact = Buffer.byteLength(JSON.stringify(value));
      const counted = jsonBytes(value, 1_000);
      expect(counted).toBeGreaterThanOrEqual(exact);
      expect(counted).toBeLessThanOrEqual(exact + 4);
    }
  });
});

const typed = (properties: JsonObject, others = 0) => {
  const rest = Array.from({ length: others }, (_, at) => [`r${at}`, { type: "T" }]);
  const template = aTemplate({
    resources: { r: { type: "T", properties }, ...Object.fromEntries(rest) },
  });
  return { template, definition: present(template.resources.get("r"), "r") };
};
const param: Json = { get_param: "p" };
const withText = (bytes: number) => aScope({ parameters: new Map([["p", ofBytes(bytes)]]) });

describe("one evaluation", () => {
  it("names the resource, the property and the function", () => {
    const { template, definition } = typed({ fine: 1, wrong: replaced(12_000) });
    expect(failureOf(() => resolveProperties(template, definition, aScope()))?.message).toBe(
      `Property error: resources.r.properties.wrong: The result of "str_replace" is too large: a value may have ${VALUE_BYTES_MAX} bytes.`,
    );
  });

  it("bounds what all calls give together, inner calls included", () => {
    const most = EVALUATION_BYTES_MAX / VALUE_BYTES_MAX;
    const scope = {
      ...withText(VALUE_BYTES_MAX),
      resource: references({ r: { refId: "1", attributes: {}, live: false } }),
    };
    // Without a live resource the outer call gives null, whatever the inner ones give.
    const around = (calls: number): Json => ({ get_attr: ["r", ...Array(calls).fill(param)] });
    expect(evaluate(around(most - 1), scope)).toBeNull();
    expect(failureOf(() => evaluate(around(most), scope))?.message).toContain(
      `all functions together may give ${EVALUATION_BYTES_MAX} bytes here`,
    );
  });

  it("gives each resource an equal share of what its stack may store", () => {
    const resources = 128;
    const share = STACK_VALUES_BYTES_MAX / resources;
    const { template, definition } = typed({ v: param }, resources - 1);
    expect(resolveProperties(template, definition, withText(share))).toHaveProperty("v");
    expect(
      failureOf(() => resolveProperties(template, definition, withText(share + 1)))?.message,
    ).toContain(`all values together may have ${share} bytes here`);
  });

  it("never gives a resource less than the least share", () => {
    const resources = (2 * STACK_VALUES_BYTES_MAX) / RESOURCE_VALUES_BYTES_MIN;
    const { template, definition } = typed({ v: param }, resources - 1);
    const scope = withText(RESOURCE_VALUES_BYTES_MIN);
    expect(resolveProperties(template, definition, scope)).toHaveProperty("v");
  });

  it("bounds what its functions search", () => {
    const placeholders = Array.from({ length: 5_000 }, (_, at) => [`<${at}>`, ""]);
    const text = "a".repeat(SEARCHED_CHARACTERS_MAX / 4_000);
    const snippet = { str_replace: { template: text, params: Object.fromEntries(placeholders) } };
    expect(failureOf(() => evaluate(snippet))?.message).toBe(
      `here: "str_replace" searches too much text: all functions together may search ${SEARCHED_CHARACTERS_MAX} characters here.`,
    );
  });

  it("counts all outputs of a stack, and the errors name the first that is too much", () => {
    const names = ["a", "b", "c", "d", "e"];
    const outputs = Object.fromEntries(names.map((name) => [name, { value: param }]));
    const template = aTemplate({ outputs });
    const all = [...template.outputs.values()];
    const values = resolveOutputs(template, all, withText(VALUE_BYTES_MAX));
    expect(values.map(({ error }) => error === undefined)).toEqual([true, true, true, true, false]);
    expect(values[4]?.value).toBeNull();
    const [alone] = resolveOutputs(template, all.slice(4), withText(VALUE_BYTES_MAX));
    expect(alone).not.toHaveProperty("error");
  });
});

describe("a spent budget", () => {
  it("is also spent by results that are refused, since finding their size takes time", () => {
    const budget = valueBudget();
    const refused = (text: string) =>
      failureOf(() => budget.take("get_param", text, true))?.message ?? "";
    const tooMuch = ofBytes(VALUE_BYTES_MAX + 1);
    const most = EVALUATION_BYTES_MAX / VALUE_BYTES_MAX;
    for (let taken = 0; taken < most; taken += 1) {
      expect(refused(tooMuch)).toContain(`a value may have ${VALUE_BYTES_MAX} bytes`);
    }
    expect(refused("x")).toContain(`all functions together may give ${EVALUATION_BYTES_MAX} bytes`);
  });

  it("refuses the next result without measuring it, since that takes time too", () => {
    const budget = valueBudget();
    for (let taken = 0; taken < EVALUATION_BYTES_MAX; taken += VALUE_BYTES_MAX)
      budget.take("get_param", ofBytes(VALUE_BYTES_MAX), true);
    expect(failureOf(() => budget.take("get_param", "x", true))?.code).toBe("ValueTooLarge");
    let measured = 0;
    const items = Object.assign(["x"], {
      *[Symbol.iterator]() {
        measured += 1;
        yield "x";
      },
    });
    expect(failureOf(() => budget.take("get_param", items, true))?.code).toBe("ValueTooLarge");
    expect(measured).toBe(0);
  });
});

describe("a character of a text", () => {
  it("is found by its position from both ends, and half pairs are no characters", () => {
    const text = "a\u{1f600}b";
    const scope = { parameters: new Map([["p", text]]) };
    const characters = [0, 1, 2, 3, -1, -2, -3, -4].map((at) =>
      evaluate({ get_param: ["p", at] }, scope),
    );
    expect(characters).toEqual(["a", "\u{1f600}", "b", "", "b", "\u{1f600}", "a", ""]);
  });
});

describe("the errors of one evaluation", () => {
  const host = "x".repeat(300_000);
  const failing = { make_url: { host, port: { get_param: "port" } } };
  const outputs = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`o${at}`, { value: failing }]),
  );

  it("are bounded together, since each quotes what it refuses", () => {
    const template = aTemplate({ parameters: { port: { type: "string" } }, outputs });
    const scope = aScope({ parameters: new Map([["port", "none"]]) });
    const errors = resolveOutputs(template, [...template.outputs.values()], scope).map(
      ({ error }) => error ?? "",
    );
    expect(errors[0]).toContain(host);
    expect(errors.join("").length).toBeLessThan(ERROR_CHARACTERS_MAX + 40 * 200);
    expect(errors.at(-1)).toBe(
      `"make_url" fails with too much text: all errors together may have ${ERROR_CHARACTERS_MAX} characters here.`,
    );
  });

  it("are bounded where several rounds resolve the same outputs", () => {
    const template = aTemplate({ parameters: { port: { type: "string" } }, outputs });
    const scope = aScope({ parameters: new Map([["port", "none"]]) });
    const shared = requestBudget();
    const errorsOf = (): string =>
      resolveOutputs(template, [...template.outputs.values()], scope, shared)
        .map(({ error }) => error ?? "")
        .join("");
    const first = errorsOf();
    for (let at = 0; at < 5; at += 1) errorsOf();
    expect(first).toContain(host);
    expect(errorsOf()).not.toContain(host);
  });
});
