/**
 * The differences that are meant: docs/compatibility.md has a row for each. A rule looks at the
 * question alone. Where it applies, only the marked parts of the answers still count.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";

export interface Rule {
  readonly id: string;
  /** What differs. */
  readonly what: string;
  readonly reason: string;
  readonly applies: (question: JsonObject) => boolean;
  /**
   * "value": two refusals are equal, whatever their texts and phases. "kind": two values are equal
   * too. "nothing": Heat's own code fails here, and nothing can be compared.
   */
  readonly counts: "value" | "kind" | "nothing";
}

interface WrittenCall {
  readonly name: string;
  readonly args: Json;
}

/** Every map of one key. Most are calls. */
function* callsIn(value: Json): Generator<WrittenCall> {
  if (isJsonArray(value)) for (const item of value) yield* callsIn(item);
  if (!isJsonObject(value)) return;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) yield { name: only[0], args: only[1] };
  for (const [, inner] of entries) yield* callsIn(inner);
}

const hasCall = (question: JsonObject, isMeant: (call: WrittenCall) => boolean): boolean => {
  for (const call of callsIn(question["template"] ?? null)) if (isMeant(call)) return true;
  return false;
};

const isCall = (value: Json): boolean => isJsonObject(value) && Object.keys(value).length === 1;

const UNPACKING: ReadonlySet<string> = new Set([
  "Fn::FindInMap",
  "Fn::GetAtt",
  "Fn::MemberListToMap",
  "Fn::Replace",
  "Fn::Select",
  "Fn::Split",
]);

export const RULES: readonly Rule[] = [
  {
    id: "find-in-map",
    what: "The refusal of `Fn::FindInMap`",
    reason: "Hearth says which mapping is missing. Heat says only the name, or fails.",
    applies: (question) => hasCall(question, ({ name }) => name === "Fn::FindInMap"),
    counts: "value",
  },
  {
    id: "call-as-arguments",
    what: "The refusal of a function of CloudFormation whose list of arguments is itself a call",
    reason: "Heat shows the name of the class in its code that has the inner function.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => UNPACKING.has(name) && isCall(args)),
    counts: "value",
  },
];

export const ruleFor = (question: JsonObject): readonly Rule[] =>
  RULES.filter(({ applies }) => applies(question));
