/**
 * Reads JSON or YAML like Heat: YAML 1.1 as in PyYAML's safe loader, but dates stay text. As in
 * PyYAML, `1e3`, `y` and `n` are text too.
 */
import { LineCounter, parseDocument, type ScalarTag } from "yaml";
import type { Json } from "#lib/json.ts";
import { nodesMaxOf, oversize, TOO_DEEP } from "./json-shape.ts";

/** How often anchors may be expanded. The size of the result has its own limit. */
const ALIASES_MAX = 10_000;

/** The text is not a document. `message` has the place. */
export class UnreadableText extends Error {
  override readonly name = "UnreadableText";
}

const scalar = (type: string, test: RegExp, resolve: (text: string) => Json): ScalarTag => ({
  tag: `tag:yaml.org,2002:${type}`,
  default: true,
  test,
  resolve,
});

const sexagesimal = (digits: string): number =>
  digits.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

const signed =
  (read: (digits: string) => number) =>
  (text: string): number => {
    const digits = text.replaceAll("_", "").replace(/^[-+]/, "");
    return text.startsWith("-") ? -read(digits) : read(digits);
  };

/** PyYAML's implicit resolvers. All else is text, also infinity and NaN, which JSON lacks. */
const SCALARS: readonly ScalarTag[] = [
  scalar("null", /^(?:~|null|Null|NULL|)$/, () => null),
  scalar("bool", /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/, () => true),
  scalar("bool", /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/, () => false),
  scalar(
    "int",
    /^[-+]?0b[01_]+$/,
    signed((digits) => Number.parseInt(digits.slice(2), 2)),
  ),
  scalar(
    "int",
    /^[-+]?0[0-7_]+$/,
    signed((digits) => Number.parseInt(digits, 8)),
  ),
  scalar(
    "int",
    /^[-+]?0x[0-9a-fA-F_]+$/,
    signed((digits) => Number.parseInt(digits, 16)),
  ),
  scalar("int", /^[-+]?(?:0|[1-9][0-9_]*)$/, signed(Number)),
  scalar("int", /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/, signed(sexagesimal)),
  scalar("float", /^[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?$/, signed(Number)),
  scalar("float", /^\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?$/, signed(Number)),
  scalar("float", /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/, signed(sexagesimal)),
];

const parseYaml = (text: string): Json => {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.1",
    schema: "failsafe",
    customTags: [...SCALARS],
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  });
  // The parser only warns about unknown tags. PyYAML refuses them.
  const [problem] = [...document.errors, ...document.warnings];
  // Only deep nesting exhausts the call stack here.
  if (problem?.code === "RESOURCE_EXHAUSTION") throw new UnreadableText(`it is ${TOO_DEEP}`);
  if (problem?.code === "MULTIPLE_DOCS") throw new UnreadableText("it holds several documents");
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new UnreadableText(`${problem.message} at line ${line}, column ${col}`);
  }
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (failure) {
    throw new UnreadableText(failure instanceof Error ? failure.message : String(failure));
  }
};

/** Throws UnreadableText. Null for an empty text. */
export const parseText = (text: string): Json => {
  const document = /^\s*[{["\d]/.test(text)
    ? (parseJson(text) ?? parseYaml(text))
    : parseYaml(text);
  const problem = oversize(document, nodesMaxOf(text));
  if (problem !== null) throw new UnreadableText(`it is ${problem}`);
  return document;
};

/** Null: not JSON. */
const parseJson = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
