import { describe, expect, it } from "vitest";
import { commandsOf } from "./console-commands.ts";
import { type Block, blocksOf, fileNameOf } from "./document-blocks.ts";
import { frameOf, templateWith } from "./page-examples.ts";
import { fragmentsOf } from "./template-examples.ts";
import { changesInTable } from "./version-table.ts";

const block = (text: string, language = "yaml"): Block => ({
  language,
  line: 1,
  chapter: "A",
  text,
});
const inFence = (text: string): string => `\`\`\`yaml\n${text}\n\`\`\``;

describe("the blocks of a page", () => {
  it("know their line and chapter, and the name of their file", () => {
    const blocks = blocksOf(`# A\n## B\n${inFence("# a.yaml\nb: 1")}\n### C\n${inFence("## D")}`);
    expect(blocks.map(({ line, chapter }) => [line, chapter])).toEqual([
      [3, "B"],
      [8, "B"],
    ]);
    expect(blocks.map(fileNameOf)).toEqual(["a.yaml", null]);
  });

  it("must end", () => {
    expect(() => blocksOf("```yaml\na: 1")).toThrow("The page ends inside a block");
  });

  it.each(["~~~yaml", "  ```yaml", "```yaml title=a", "````"])(
    "must not begin with %s",
    (fence) => {
      expect(() => blocksOf(`a\n${fence}\nb: 1`)).toThrow(
        "line 2: a fence must be three backticks",
      );
    },
  );
});

describe("a fragment", () => {
  it("has values, errors and refusals, also over several lines", () => {
    const text = "a: 1   # gives: [1]\nb:\n  - 2\n# error: no\n#    more\nc: 3\n# refused: never";
    expect(fragmentsOf(block(text))).toEqual([
      {
        section: null,
        examples: [
          { name: "a", source: 1, expected: { gives: [1] } },
          { name: "b", source: [2], expected: { error: "no more" } },
          { name: "c", source: 3, expected: { refused: "never" } },
        ],
      },
    ]);
  });

  it("must say what each value gives, and something about its sections", () => {
    const silent = "b does not say what it gives";
    expect(() => fragmentsOf(block("a: 1 # gives: 1\nb: 2"))).toThrow(silent);
    expect(() => fragmentsOf(block("resources:\n  b: {}"))).toThrow(silent);
  });

  it("must not have an example twice", () => {
    expect(() => fragmentsOf(block("a: 1 # gives: 1\na: 2 # gives: 2"))).toThrow("2 entries begin");
  });

  it("stands in the last template above it in its chapter", () => {
    const frames = ["1", "2"].map((d) => block(`# ${d}.yaml\nheat_template_version: ${d}`));
    const fragment = block("a: 1 # gives: 1");
    const environment = block("# e.yaml\nparameters: {}");
    const found = frameOf([...frames, environment, fragment], fragment);
    expect(found.block).toBe(frames[1]);
    const elsewhere = { ...fragment, chapter: "B" };
    expect(() => frameOf([...frames, elsewhere], elsewhere)).toThrow("no template stands above");
  });

  it("becomes outputs in the words of the format, in place of the template's own", () => {
    const fragments = fragmentsOf(block("Parameters:\n  P: { Type: String } # gives: 1"));
    const taken = new Set(fragments.flatMap(({ examples }) => examples));
    const frame = { AWSTemplateFormatVersion: "2010-09-09", Outputs: { old: { Value: 1 } } };
    expect(templateWith(frame, fragments, taken)).toEqual({
      AWSTemplateFormatVersion: "2010-09-09",
      Parameters: { P: { Type: "String" } },
      Outputs: { P: { Value: { Ref: "P" } } },
    });
  });

  it("cannot show the value of a resource", () => {
    const fragments = fragmentsOf(block("resources:\n  r: { type: t } # gives: 1"));
    const taken = new Set(fragments.flatMap(({ examples }) => examples));
    expect(() => templateWith({ heat_template_version: "x" }, fragments, taken)).toThrow(
      "resources.r has no value",
    );
  });
});

describe("a console", () => {
  it("has commands, each with what it prints, and a drawing below the last one", () => {
    const text = "$ a\none\n two\n$ b";
    expect(commandsOf(block(text, "console"), block("drawn", "mermaid"))).toEqual([
      { text: "a", printed: "one\n two" },
      { text: "b", printed: "drawn" },
    ]);
  });

  it("must begin with a command", () => {
    expect(() => commandsOf(block("one\n$ a", "console"), null)).toThrow("begin with a command");
  });
});

describe("the table of versions", () => {
  it("is read without the words that are no functions", () => {
    const row = "| 2016-10-14, newton | `if` and `external_id`; `yaql` | `Ref` |";
    expect(changesInTable(row)).toEqual([
      { version: "2016-10-14", adds: ["if", "yaql"], removes: ["Ref"] },
    ]);
  });
});
