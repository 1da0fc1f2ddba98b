import { floatOf, integerOf, type Json, type JsonNumber, jsonNumber } from "#lib/json.ts";
import { pythonRepr } from "../python-text.ts";

interface Node {
  readonly tag: string;
  readonly start: number;
}

interface ScalarNode extends Node {
  readonly kind: "scalar";
  readonly value: string;
}

export interface SequenceNode extends Node {
  readonly kind: "sequence";
  readonly items: readonly YamlNode[];
}

export interface MappingNode extends Node {
  readonly kind: "mapping";
  readonly entries: readonly (readonly [key: YamlNode, value: YamlNode])[];
}

/** An alias is the same object as the node that its anchor names. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode;

const STANDARD = "tag:yaml.org,2002:";

export const TAGS = {
  null: `${STANDARD}null`,
  bool: `${STANDARD}bool`,
  int: `${STANDARD}int`,
  float: `${STANDARD}float`,
  str: `${STANDARD}str`,
  binary: `${STANDARD}binary`,
  timestamp: `${STANDARD}timestamp`,
  merge: `${STANDARD}merge`,
  value: `${STANDARD}value`,
  seq: `${STANDARD}seq`,
  map: `${STANDARD}map`,
  set: `${STANDARD}set`,
  omap: `${STANDARD}omap`,
  pairs: `${STANDARD}pairs`,
} as const;

export const DEFAULT_HANDLES: ReadonlyMap<string, string> = new Map([
  ["!", "!"],
  ["!!", STANDARD],
]);

/** The type of a plain scalar without a tag, by YAML 1.1's rules as PyYAML has them. */
interface Rule {
  readonly tag: string;
  readonly first: string;
  readonly test: RegExp;
}

const DIGITS = "0123456789";

const RULES: readonly Rule[] = [
  {
    tag: TAGS.bool,
    first: "yYnNtTfFoO",
    test: /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  },
  {
    tag: TAGS.float,
    first: `-+.${DIGITS}`,
    test: /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  },
  {
    tag: TAGS.int,
    first: `-+${DIGITS}`,
    test: /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  },
  { tag: TAGS.merge, first: "<", test: /^<<$/ },
  { tag: TAGS.null, first: "~nN", test: /^(?:~|null|Null|NULL)$/ },
  { tag: TAGS.value, first: "=", test: /^=$/ },
];

const rulesByFirst = new Map<string, Rule[]>();
for (const rule of RULES) {
  for (const character of rule.first) {
    rulesByFirst.set(character, [...(rulesByFirst.get(character) ?? []), rule]);
  }
}

/** Dates stay text, as in Heat. */
export const implicitTag = (value: string): string => {
  if (value === "") return TAGS.null;
  const rules = rulesByFirst.get(value.charAt(0)) ?? [];
  return rules.find(({ test }) => test.test(value))?.tag ?? TAGS.str;
};

/**
 * Converting a number takes time that grows with the square of its length.
 * @limit a number in YAML, signs and underscores included
 * @beyond 400
 */
const NUMBER_CHARS_MAX = 10_000;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["true", true],
  ["on", true],
  ["no", false],
  ["false", false],
  ["off", false],
]);

type ReadScalar = (text: string) => Json | undefined;

const signed = (text: string): readonly [sign: "" | "-", digits: string] => [
  text.startsWith("-") ? "-" : "",
  text.replaceAll("_", "").replace(/^[-+]/, ""),
];

const INFINITE = /^[-+]?\.inf$|^\.nan$/i;

const withPrefix = (sign: string, prefix: string, digits: string): JsonNumber | null => {
  const size = BigInt(prefix + digits);
  return integerOf(sign === "-" ? -size : size);
};

const sexagesimal = (digits: string): bigint =>
  digits.split(":").reduce((sum, part) => sum * 60n + BigInt(part), 0n);

const integer = (text: string): JsonNumber | null => {
  const [sign, digits] = signed(text);
  if (/^0b[01]+$/.test(digits)) return withPrefix(sign, "0b", digits.slice(2));
  if (/^0x[0-9a-fA-F]+$/.test(digits)) return withPrefix(sign, "0x", digits.slice(2));
  if (/^0[0-7]+$/.test(digits)) return withPrefix(sign, "0o", digits);
  if (/^\d+(?::\d+)+$/.test(digits)) return withPrefix(sign, "", String(sexagesimal(digits)));
  return /^(?:0|[1-9]\d*)$/.test(digits) ? jsonNumber(sign + digits) : null;
};

const float = (text: string): JsonNumber | null => {
  const [sign, digits] = signed(text);
  const size = digits.includes(":")
    ? digits.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)
    : Number(digits);
  return digits === "" ? null : floatOf(sign === "-" ? -size : size);
};

const number =
  (read: (text: string) => JsonNumber | null): ReadScalar =>
  (text) =>
    text.length > NUMBER_CHARS_MAX ? undefined : (read(text) ?? undefined);

const BASE64_GROUP = 4;
const NOT_ASCII = /[^\0-\x7f]/u;

const base64Letters = (text: string): { readonly letters: string } | { readonly wrong: string } => {
  let letters = "";
  let pads = 0;
  for (const character of text) {
    if (character === "=") {
      pads += 1;
      const inGroup = letters.length % BASE64_GROUP;
      // As in Python, everything after complete padding is ignored.
      if (inGroup >= 2 && inGroup + pads >= BASE64_GROUP) return { letters };
    } else if (/^[A-Za-z0-9+/]$/.test(character)) {
      letters += character;
      pads = 0;
    }
  }
  const rest = letters.length % BASE64_GROUP;
  if (rest === 0) return { letters };
  const wrong =
    rest === 1
      ? `Invalid base64-encoded string: number of data characters (${letters.length}) cannot be 1 more than a multiple of 4`
      : "Incorrect padding";
  return { wrong };
};

/** The bytes must be UTF-8 text, because Heat's engine receives JSON from its API. */
const binary: ReadScalar = (text) => {
  const read = base64Letters(text);
  if ("wrong" in read || NOT_ASCII.test(text)) return undefined;
  try {
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const bytes = Uint8Array.from(atob(read.letters), (byte) => byte.charCodeAt(0));
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Infinity and NaN stay text, because JSON lacks them. */
export const SCALAR_TAGS: ReadonlyMap<string, ReadScalar> = new Map<string, ReadScalar>([
  [TAGS.null, () => null],
  [TAGS.bool, (text) => BOOLEANS.get(text.toLowerCase())],
  [TAGS.int, number(integer)],
  [TAGS.float, (text) => (INFINITE.test(text) ? text : number(float)(text))],
  [TAGS.str, (text) => text],
  [TAGS.timestamp, (text) => text],
  [TAGS.binary, binary],
]);

const binaryProblem = (text: string): string | null => {
  const [foreign] = NOT_ASCII.exec(text) ?? [];
  if (foreign === undefined) {
    const read = base64Letters(text);
    return "wrong" in read ? `failed to decode base64 data: ${read.wrong}` : null;
  }
  const code = `'ascii' codec can't encode character ${pythonRepr(foreign)}`;
  const position = Array.from(text.slice(0, text.indexOf(foreign))).length;
  return `failed to convert base64 data into ascii: ${code} in position ${position}: ordinal not in range(128)`;
};

/** The value of a scalar by its tag, as PyYAML's safe loader gives it. */
export const scalarProblem = ({ tag, value }: ScalarNode): string => {
  if (tag === TAGS.int || tag === TAGS.float) {
    return "found a number that is out of range or has no digits";
  }
  return (
    (tag === TAGS.binary ? binaryProblem(value) : null) ?? `found no value of the tag '${tag}'`
  );
};
