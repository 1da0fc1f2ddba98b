import { describe, expect, it } from "vitest";
import { type Pattern, patternsIn, slowness } from "./pattern-rules.ts";
import { repositoryFiles } from "./repository.ts";
import { parse } from "./syntax-rules.ts";

const FOLDERS = /^(?:apps|functions|infra|lib|providers)\//;
const PATTERNS_MIN = 300;

const OWN_BROWSER =
  "it reads one line that the user has typed or opened, in the user's own browser";

const STAYS: ReadonlyMap<string, string> = new Map([
  [
    String.raw`/resources(?:\.([\w-]+)|\[["']?([^\]"']+)["']?\])/g`,
    "it reads what another pattern has matched, where each bracket is closed",
  ],
  [String.raw`/depends_on:\s*(?:\[.*[[,])?\s*([\w.-]*)$/`, OWN_BROWSER],
  [
    String.raw`/^(\s*(?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s#"'{[][^#"'{[]*?)):(?:\s+(.*))?$/`,
    OWN_BROWSER,
  ],
]);

const patterns = repositoryFiles()
  .filter(({ path }) => FOLDERS.test(path) && /\.tsx?$/.test(path))
  .flatMap(({ path, text }) =>
    patternsIn(parse(path, text)).map((pattern) => ({ ...pattern, path })),
  );

describe("the patterns of the sources", () => {
  it("take time in proportion to their text", () => {
    expect(patterns.length).toBeGreaterThan(PATTERNS_MIN);
    const slow = patterns.flatMap((pattern) => {
      const why = slowness(pattern);
      return why === null || STAYS.has(pattern.text)
        ? []
        : [`${pattern.path}:${pattern.line} ${pattern.text}: ${why}`];
    });
    expect(slow).toEqual([]);
  });

  it("are slow where a reason says why they stay", () => {
    const slow = new Set(patterns.filter((one) => slowness(one) !== null).map(({ text }) => text));
    expect([...STAYS.keys()].filter((text) => !slow.has(text))).toEqual([]);
  });
});

const of = ({ source, flags }: RegExp): Pattern => ({ source, flags });

describe("the check of patterns", () => {
  it.each([
    [/\/+$/],
    [/^([!-9;-~]+):[ \t]*(.*)$/],
    [/\p{Nd}+(?:\.?\p{Nd}+)?(?![\p{L}\p{N}_])/uy],
    [/(?:a+)+$/],
    [/\(in ([^)]+)\)/],
    [/T.*(?:Z|[+-]\d\d:\d\d)$/],
  ])("finds that %s is slow", (pattern) => {
    expect(slowness(of(pattern))).not.toBeNull();
  });

  it.each([[/(?<!\/)\/+$/], [/^\/+/], [/paused until (\S+) is cleared$/], [/\(in ([^()]+)\)/]])(
    "finds that %s is not",
    (pattern) => {
      expect(slowness(of(pattern))).toBeNull();
    },
  );
});
