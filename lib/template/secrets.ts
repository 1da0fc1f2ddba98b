/** Removes the values of hidden parameters from texts. */
import { RequestError } from "#lib/errors.ts";
import { isJsonNumber, type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { isCollection, isJsonArray } from "./json-shape.ts";
import { pythonRepr } from "./python-text.ts";
import type { ParsedTemplate } from "./template.ts";

export const REDACTED = "******";

export const redactMembers = (
  values: JsonObject,
  isSecret: (name: string) => boolean,
): JsonObject =>
  mapOf(Object.entries(values).map(([name, value]) => [name, isSecret(name) ? REDACTED : value]));

/** Shorter secrets are replaced only as whole words. Gaps inside words would reveal them. */
const ANYWHERE_CHARACTERS_MIN = 4;

/** Limits the comparisons for a text: about 0.2 s at most for all errors of a request. */
const COMPARED_CHARACTERS_BASE = 65_536;
const COMPARED_A_CHARACTER = 32;

const startOf = (text: string, at = 0): string => text.slice(at, at + ANYWHERE_CHARACTERS_MIN);

export class Secrets {
  readonly #byStart = new Map<string, Set<string>>();
  readonly #firstUnits = new Set<number>();
  #comparableLeft = 0;

  constructor(texts: Iterable<string>) {
    for (const text of texts) {
      if (text === "") continue;
      this.#firstUnits.add(text.charCodeAt(0));
      const start = startOf(text);
      const others = this.#byStart.get(start) ?? new Set();
      this.#byStart.set(start, others.add(text));
    }
  }

  get isEmpty(): boolean {
    return this.#byStart.size === 0;
  }

  /** The same secrets serve many requests, so comparisons are counted anew for each text. */
  begin(text: string): void {
    this.#comparableLeft = COMPARED_CHARACTERS_BASE + COMPARED_A_CHARACTER * text.length;
  }

  /** Too many comparisons. The text must not be shown then, because it may contain secrets. */
  get isExhausted(): boolean {
    return this.#comparableLeft < 0;
  }

  /** @returns the end of the longest secret at `from`, or `from` when none begins there */
  endOf(text: string, from: number): number {
    if (!this.#firstUnits.has(text.charCodeAt(from))) return from;
    let end = from;
    const start = startOf(text, from);
    const candidates = start.length < ANYWHERE_CHARACTERS_MIN ? [] : this.#byStart.get(start);
    for (const secret of candidates ?? []) {
      this.#comparableLeft -= secret.length;
      if (this.isExhausted) return end;
      if (from + secret.length > end && text.startsWith(secret, from)) end = from + secret.length;
    }
    return end > from ? end : this.#endOfWord(text, from);
  }

  #endOfWord(text: string, from: number): number {
    for (let length = ANYWHERE_CHARACTERS_MIN - 1; length > 0; length -= 1) {
      const isSecret = this.#byStart.has(text.slice(from, from + length));
      if (isSecret && standsAlone(text, from, from + length)) return from + length;
    }
    return from;
  }
}

const NO_SECRETS = new Secrets([]);

const leaves = (value: Json): readonly Json[] => {
  if (!isCollection(value)) return [value];
  return (isJsonArray(value) ? value : Object.values(value)).flatMap(leaves);
};

/** Every form in which an error can show a hidden value or a part of it. */
const textsOf = (leaf: Json): readonly string[] => {
  if (typeof leaf !== "string" && !isJsonNumber(leaf)) return [];
  return [
    String(leaf),
    // Inside quotes, a backslash or a line break takes two characters.
    pythonRepr(leaf).replace(/^['"]|['"]$/g, ""),
    JSON.stringify(leaf).replace(/^"|"$/g, ""),
  ];
};

/** Each error of an evaluation needs the secrets. The values of a request never change. */
const known = new WeakMap<ReadonlyMap<string, Json>, WeakMap<object, Secrets>>();

export const secretTexts = (
  { parameters: schemata }: Pick<ParsedTemplate, "parameters">,
  parameters: ReadonlyMap<string, Json>,
): Secrets => {
  const hidden = [...schemata].filter(([, { hidden: isHidden }]) => isHidden);
  if (hidden.length === 0) return NO_SECRETS;
  const ofParameters = known.get(parameters) ?? new WeakMap<object, Secrets>();
  known.set(parameters, ofParameters);
  const before = ofParameters.get(schemata);
  if (before !== undefined) return before;
  const values = hidden.flatMap(([name]) => leaves(parameters.get(name) ?? null));
  const secrets = new Secrets(values.flatMap(textsOf));
  ofParameters.set(schemata, secrets);
  return secrets;
};

const IS_WORD = /^[\p{L}\p{N}]/u;

const standsAlone = (text: string, from: number, to: number): boolean => {
  const before = Array.from(text.slice(Math.max(from - 2, 0), from)).at(-1) ?? "";
  return !IS_WORD.test(before) && !IS_WORD.test(text.slice(to, to + 2));
};

/** Longer texts take too long to search. A refused value may be megabytes, and errors quote it. */
const REDACTED_CHARACTERS_MAX = 1_048_576;

/** Secrets that overlap are replaced as one, so no part of any remains. */
export const redact = (message: string, secrets: Secrets): string => {
  if (secrets.isEmpty) return message;
  if (message.length > REDACTED_CHARACTERS_MAX) return REDACTED;
  secrets.begin(message);
  let shown = "";
  let secretEnd = 0;
  for (let at = 0; at < message.length; at += 1) {
    const end = secrets.endOf(message, at);
    if (end > at && at >= secretEnd) shown += REDACTED;
    secretEnd = Math.max(secretEnd, end);
    if (at >= secretEnd) shown += message.charAt(at);
    if (secrets.isExhausted) return REDACTED;
  }
  return shown;
};

/** An error whose text may show a value in another form, such as in capitals. */
export class ComputedValueError extends RequestError {}

const NOT_SHOWN =
  "An expression fails. Its error is not shown, because it may show a hidden value.";

/** Hides a ComputedValueError entirely if hidden values may be computed with (`mayCompute`). */
export const safeText = (
  failure: RequestError,
  secrets: Secrets,
  mayCompute: () => boolean,
): string => {
  const isOpen = secrets.isEmpty || !(failure instanceof ComputedValueError) || !mayCompute();
  return isOpen ? redact(failure.message, secrets) : NOT_SHOWN;
};
