/**
 * Reads JSON or YAML like Heat: YAML 1.1 as in PyYAML's safe loader, but dates stay text. As in
 * PyYAML, `1e3`, `y` and `n` are text too.
 */
import { LineCounter, parseDocument, type ScalarTag } from "yaml";
import {
  floatOf,
  integerOf,
  type Json,
  type JsonNumber,
  jsonNumber,
  NumberOutOfRange,
  parseJson,
} from "#lib/json.ts";
import { oversize, TOO_DEEP } from "./json-shape.ts";

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

/** A longer text is no number. Converting takes time that grows with the square of the length. */
const NUMBER_CHARS_MAX = 10_000;

/** `read` gets the sign and the digits apart, and gives null for a number that is out of range. */
const number = (
  type: "int" | "float",
  test: RegExp,
  read: (sign: "-" | "", digits: string) => JsonNumber | null,
): ScalarTag => ({
  tag: `tag:yaml.org,2002:${type}`,
  default: true,
  test,
  resolve: (text, onError) => {
    const digits = text.replaceAll("_", "").replace(/^[-+]/, "");
    const isShort = text.length <= NUMBER_CHARS_MAX;
    const value = isShort ? read(text.startsWith("-") ? "-" : "", digits) : null;
    if (value === null) onError("A number is out of range or has no digits");
    return value;
  },
});

const sexagesimalInteger = (sign: string, digits: string): JsonNumber | null => {
  const size = digits.split(":").reduce((sum, part) => sum * 60n + BigInt(part), 0n);
  return integerOf(sign === "-" ? -size : size);
};

const sexagesimalFloat = (sign: string, digits: string): JsonNumber | null => {
  const size = digits.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return floatOf(sign === "-" ? -size : size);
};

/** PyYAML refuses a prefix without digits. */
const withPrefix =
  (prefix: "0b" | "0o" | "0x", writtenChars: number) =>
  (sign: string, digits: string): JsonNumber | null => {
    const rest = digits.slice(writtenChars);
    if (rest === "") return null;
    const size = BigInt(prefix + rest);
    return integerOf(sign === "-" ? -size : size);
  };

const decimal = (sign: string, digits: string): JsonNumber | null => jsonNumber(sign + digits);
const float = (sign: string, digits: string): JsonNumber | null => floatOf(Number(sign + digits));

/** PyYAML's implicit resolvers. All else is text, also infinity and NaN, which JSON lacks. */
const SCALARS: readonly ScalarTag[] = [
  scalar("null", /^(?:~|null|Null|NULL|)$/, () => null),
  scalar("bool", /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/, () => true),
  scalar("bool", /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/, () => false),
  number("int", /^[-+]?0b[01_]+$/, withPrefix("0b", "0b".length)),
  number("int", /^[-+]?0[0-7_]+$/, withPrefix("0o", 0)),
  number("int", /^[-+]?0x[0-9a-fA-F_]+$/, withPrefix("0x", "0x".length)),
  number("int", /^[-+]?(?:0|[1-9][0-9_]*)$/, decimal),
  number("int", /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/, sexagesimalInteger),
  number("float", /^[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?$/, float),
  number("float", /^\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?$/, float),
  number("float", /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/, sexagesimalFloat),
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
    // The parser prints a warning for a key that is no text.
    logLevel: "error",
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
  const document = /^\s*[{["\d]/.test(text) ? (jsonIn(text) ?? parseYaml(text)) : parseYaml(text);
  const problem = oversize(document);
  if (problem !== null) throw new UnreadableText(`it is ${problem}`);
  return document;
};

/** Null: not JSON. In YAML a number that is out of range may be text, so it is refused here. */
const jsonIn = (text: string): Json => {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof NumberOutOfRange) throw new UnreadableText(error.message);
    return null;
  }
};
