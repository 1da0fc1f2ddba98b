import { describe, expect, it } from "vitest";
import { EventShape, StackShape } from "#client/wire.ts";
import { parseJson } from "#lib/json.ts";
import {
  ageText,
  cutTo,
  eventLine,
  eventLines,
  hangingLines,
  namedText,
  oneLine,
  padTo,
  stackLines,
  tableLines,
  valueLine,
  valueText,
  widthOf,
  wrapTo,
} from "../../../apps/cli/print.ts";

describe("texts for people", () => {
  it("show numbers and names as the engine sent them", () => {
    const text = '{"__proto__":1.0,"constructor":12345678901234567890,"10":{"1":0,"0":0},"2":1}';
    expect(valueText(parseJson(text))).toBe(text);
    expect(valueText(parseJson("1e20"))).toBe("1e+20");
    const stack = { id: "s", stack_name: "s", stack_status: "CREATE_COMPLETE" };
    const parsed = StackShape.parse({ ...stack, parameters: parseJson(text) });
    expect(JSON.stringify(parsed.parameters)).toBe(text);
  });

  it("never pass control characters of a script to the terminal", () => {
    expect(oneLine("exe\u202etxt.\u2066")).toBe("exetxt.");
    expect(valueLine(["na\u001bme", "x"])).toBe("na me = x");
    expect(oneLine("bad\u001b[2Jnews\r\nhere\u2028\u0000 ")).toBe("bad [2Jnews here");
  });

  it("show a signed URL in an overview without its signature", () => {
    const url = "https://host/v1/agents/d?kid=k&exp=1&gen=2&sig=c2VjcmV0%3D";
    expect(valueLine(["url", url])).toBe(`url = ${url.replace("c2VjcmV0%3D", "******")}`);
    const curl = `curl -i -X POST -H 'X-Auth-Token: secret' "${url}"`;
    expect(valueLine(["curl", { of: [curl] }])).not.toMatch(/secret|c2VjcmV0/);
    expect(valueLine(["url", "https://host/?signature_of=me"])).toContain("signature_of=me");
    expect(valueText(url)).toBe(url);
  });

  it("show a named value bare in a pipe, and harmless on a terminal", () => {
    const value = "\u001b]52;c;ZXZpbA==\u0007\u001b[2Ja\u202eb\n";
    const { isTTY } = process.stdout;
    try {
      process.stdout.isTTY = true;
      expect(namedText(value)).toBe("]52;c;ZXZpbA==[2Jab\n");
      process.stdout.isTTY = false;
      expect(namedText(value)).toBe(value);
    } finally {
      process.stdout.isTTY = isTTY;
    }
  });

  it("show an event as one line, the reason last", () => {
    const event = EventShape.parse({
      id: "1",
      event_time: "2026-01-01T00:00:00Z",
      resource_name: "web_deploy",
      resource_status: "CREATE_IN_PROGRESS",
      resource_status_reason: "state\nchanged",
      physical_resource_id: null,
    });
    expect(eventLine(event)).toBe(
      "2026-01-01T00:00:00Z [web_deploy] CREATE_IN_PROGRESS  state changed",
    );
    expect(eventLine({ ...event, resource_status_reason: "" })).toBe(
      "2026-01-01T00:00:00Z [web_deploy] CREATE_IN_PROGRESS",
    );
  });

  it("align a table's columns and end no line with blanks", () => {
    expect(
      tableLines(
        ["NAME", "STATUS"],
        [
          ["a", "CREATE_COMPLETE"],
          ["long-name", ""],
        ],
      ),
    ).toEqual(["NAME       STATUS", "a          CREATE_COMPLETE", "long-name"]);
  });

  it("align columns with letters of any width", () => {
    const rows = [
      ["日本", "a"],
      ["web", "b"],
    ];
    expect(tableLines(["NAME", "STATUS"], rows)).toEqual(["NAME  STATUS", "日本  a", "web   b"]);
  });

  it("give ages in the two largest units", () => {
    expect([-5, 7_900, 185_000, 7_800_000].map(ageText)).toEqual(["0s", "7s", "3m05s", "2h10m"]);
  });

  it("print text values bare and others as JSON", () => {
    expect([valueText("a b"), valueText(["a"]), valueText(undefined)]).toEqual([
      "a b",
      '["a"]',
      "null",
    ]);
  });

  it("show a stack with its own parameters and its outputs, errors included", () => {
    const stack = StackShape.parse({
      id: "i",
      stack_name: "web",
      stack_status: "CREATE_COMPLETE",
      stack_status_reason: null,
      parameters: { "OS::stack_id": "i", port: "80" },
      outputs: [
        { output_key: "url", output_value: "http://x" },
        { output_key: "bad", output_value: null, output_error: "no such attribute" },
      ],
    });
    expect(stackLines(stack)).toEqual([
      "name         web",
      "id           i",
      "status       CREATE_COMPLETE",
      "parameters:",
      "  port = 80",
      "outputs:",
      "  url = http://x",
      "  bad = error: no such attribute",
    ]);
  });
});

const ROWS = [
  ["web", "it waits for the server to poll again"],
  ["db", "none"],
];

it("are not broken in a pipe", () => {
  expect(tableLines(["NAME", "REASON"], ROWS)).toEqual([
    "NAME  REASON",
    "web   it waits for the server to poll again",
    "db    none",
  ]);
});

it("go on below the column", () => {
  expect(tableLines(["NAME", "REASON"], ROWS, 32)).toEqual([
    "NAME  REASON",
    "web   it waits for the server to",
    "      poll again",
    "db    none",
  ]);
});

it("go on below the row if the column is too narrow", () => {
  expect(tableLines(["A LONG NAME", "REASON"], ROWS, 30)).toEqual([
    "A LONG NAME  REASON",
    "web",
    "    it waits for the server to",
    "    poll again",
    "db           none",
  ]);
});

it("leave events whole in a pipe, and break them between words on a terminal", () => {
  const event = {
    id: "1",
    event_time: "2026-01-01T00:00:00Z",
    resource_name: "web",
    resource_status: "CREATE_FAILED",
    resource_status_reason: "the image of the server is too large for it",
  };
  expect(eventLines(event, "app/web", Number.POSITIVE_INFINITY)).toEqual([
    "2026-01-01T00:00:00Z [app/web] CREATE_FAILED  the image of the server is too large for it",
  ]);
  expect(eventLines(event, "app/web", 60)).toEqual([
    "2026-01-01T00:00:00Z [app/web] CREATE_FAILED  the image of",
    "    the server is too large for it",
  ]);
});

describe("the columns of a text", () => {
  it.each([
    ["web", 3],
    ["naïve", 5],
    ["nai\u0308ve", 5],
    ["日本", 4],
    ["한국", 4],
    ["ｗｅｂ", 6],
    ["ｶﾅ", 2],
    ["\u{1f30d}", 2],
    ["\u{1f469}\u200d\u{1f680}x", 3],
    ["├─ ä", 4],
    ["zero\u200bwidth", 9],
    ["", 0],
  ])("of %j are %i", (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it("are padded with blanks, and cut only between letters", () => {
    expect(padTo("日本", 6)).toBe("日本  ");
    expect(padTo("long", 2)).toBe("long");
    expect(cutTo("日本語", 5)).toBe("日本");
    expect(cutTo("nai\u0308ve", 3)).toBe("nai\u0308");
    expect(cutTo("web", 3)).toBe("web");
  });
});

describe("a wrapped text", () => {
  it.each([
    ["one two three", 7, ["one two", "three"]],
    ["one two", 80, ["one two"]],
    ["a verylongword b", 6, ["a", "verylo", "ngword", "b"]],
    ["日本語 ab", 5, ["日本", "語 ab"]],
    ["", 5, [""]],
  ])("of %j in %i columns is %j", (text, width, lines) => {
    expect(wrapTo(text, width)).toEqual(lines);
  });
});

it("a line that is too long goes on below itself, and its words stay whole", () => {
  const line = "  ERROR: the template is refused";
  expect(hangingLines(line, Number.POSITIVE_INFINITY)).toEqual([line]);
  expect(hangingLines(line, 20)).toEqual(["  ERROR: the", "      template is", "      refused"]);
});
