import { describe, expect, it } from "vitest";
import { type JsonObject, parseJson } from "#lib/json.ts";
import { aTemplate, evaluate } from "../build.ts";
import { failureOf } from "../failure-of.ts";

const url = (args: JsonObject) => evaluate({ make_url: args });
const problem = (args: JsonObject) => failureOf(() => url(args))?.message;
const refusal = (args: JsonObject) =>
  failureOf(() => aTemplate({ outputs: { o: { value: { make_url: args } } } }))?.message;

describe("make_url", () => {
  it("encodes each part as Python does", () => {
    const parts = {
      scheme: "http",
      username: "a:b@c/",
      password: "p!*'()~",
      host: "::1",
      port: 80,
      path: "x y/é",
      query: { "a b": "c/d&", list: [1, "q'"], none: null, float: parseJson("1.0") },
      fragment: "f/?",
    };
    expect(url(parts)).toBe(
      "http://a%3Ab%40c%2F:p%21%2A%27%28%29~@[::1]:80/x%20y/%C3%A9?a+b=c/d%26&list=%5B1%2C+%22q%27%22%5D&none=None&float=1.0#f/%3F",
    );
  });

  it("writes slashes where Python's urlunsplit does", () => {
    const urls: [JsonObject, string][] = [
      [{}, ""],
      [{ scheme: "http" }, "http://"],
      [{ scheme: "foo", path: "p" }, "foo:p"],
      [{ scheme: "svn+ssh", path: "p" }, "svn+ssh:///p"],
      [{ scheme: "HTTP", path: "//p" }, "HTTP://p"],
      [{ path: "//p" }, "//p"],
      [{ host: "[fe80::1]", path: "p" }, "//[fe80::1]/p"],
      [{ password: "p" }, "//:p@"],
    ];
    for (const [args, text] of urls) expect(url(args), JSON.stringify(args)).toBe(text);
  });

  it("checks the port as Python reads an integer, and shows it as it was given", () => {
    expect([url({ port: 1.5 }), url({ port: true }), url({ port: "1_0 " })]).toEqual([
      "//:1.5",
      "//:True",
      "//:1_0 ",
    ]);
    const wrong: [JsonObject, string][] = [
      [{ port: 65_536 }, "Invalid URL port 65536, must be in range 1-65535"],
      [{ port: "x" }, `Invalid URL port "x" for make_url called with {'port': 'x'}`],
      [
        { port: null },
        "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
      ],
    ];
    for (const [args, text] of wrong)
      expect(refusal(args)).toBe(`outputs.o.value.make_url: ${text}`);
  });

  it("leaves what follows a query to Python, as Heat does", () => {
    expect(refusal({ query: {}, fragment: 5 })).toBeUndefined();
    expect(problem({ query: {}, fragment: 5 })).toBe("here: quote_from_bytes() expected bytes");
    expect(refusal({ fragment: 5 })).toContain('The "fragment" argument');
    expect(refusal({ query: [] })).toContain('The "query" argument to "make_url" must be a map');
  });

  it("refuses unknown parts, and a colon in the scheme", () => {
    expect(refusal({ hots: "x" })).toBe(
      'outputs.o.value.make_url: Invalid arguments to "make_url": hots',
    );
    expect(problem({ scheme: "a:" })).toBe(`here: URL "scheme" should not contain ':'`);
  });

  it("says which character has no UTF-8", () => {
    expect(problem({ path: "\u{1d11e}\ud800" })).toBe(
      "here: 'utf-8' codec can't encode character '\\ud800' in position 1: surrogates not allowed",
    );
  });

  it("refuses parts that are larger than a value before it encodes them", () => {
    expect(problem({ path: "é".repeat(600_000), query: { a: "é".repeat(600_000) } })).toBe(
      'here: The result of "make_url" is too large: a value may have 1048576 bytes.',
    );
    expect(problem({ path: "é".repeat(200_000) })).toBe(
      'here: The result of "make_url" is too large: a value may have 1048576 bytes.',
    );
  });
});
