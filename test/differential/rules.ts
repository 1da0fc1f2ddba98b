/**
 * The differences that are meant: docs/compatibility.md has a row for each. A rule looks at the
 * question alone. Where it applies, only the marked parts of the answers still count.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isCollection, isJsonArray } from "#lib/template/json-shape.ts";

export interface Rule {
  readonly id: string;
  /** What differs. */
  readonly what: string;
  readonly reason: string;
  readonly applies: (question: JsonObject) => boolean;
  /**
   * "verdict": two refusals are equal, whatever their texts and phases. "values": so is a refusal
   * of one side, and only two values are compared. "items": the order of lists does not count.
   * "nothing": Heat's own code fails here, and nothing can be compared.
   */
  readonly counts: "verdict" | "values" | "items" | "nothing";
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

const hasCallIn = (value: Json, isMeant: (call: WrittenCall) => boolean): boolean => {
  for (const call of callsIn(value)) if (isMeant(call)) return true;
  return false;
};

const hasCall = (question: JsonObject, isMeant: (call: WrittenCall) => boolean): boolean =>
  hasCallIn(question["template"] ?? null, isMeant);

const isCall = (value: Json): boolean => isJsonObject(value) && Object.keys(value).length === 1;

const TAKING_NO_CALL: ReadonlySet<string> = new Set([
  "Fn::FindInMap",
  "Fn::GetAtt",
  "Fn::MemberListToMap",
  "Fn::Replace",
  "Fn::Select",
  "Fn::Split",
  "Ref",
]);

const FACADES: ReadonlySet<string> = new Set(["resource_facade", "Fn::ResourceFacade"]);

const textOf = (value: Json): string => JSON.stringify(value);

/** The section of conditions, and the condition of each `if`. */
function* conditionsIn({ template = null }: JsonObject): Generator<Json> {
  if (isJsonObject(template)) yield template["conditions"] ?? null;
  for (const { name, args } of callsIn(template)) {
    if (name === "if" && isJsonArray(args)) yield args[0] ?? null;
  }
}

export const RULES: readonly Rule[] = [
  {
    id: "find-in-map",
    what: "The refusal of `Fn::FindInMap`",
    reason: "Hearth says which mapping is missing. Heat says only the name, or fails.",
    applies: (question) => hasCall(question, ({ name }) => name === "Fn::FindInMap"),
    counts: "verdict",
  },
  {
    id: "call-as-arguments",
    what: "The refusal of a function of CloudFormation whose arguments are themselves a call",
    reason: "Heat shows the name of the class in its code that has the inner function.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => TAKING_NO_CALL.has(name) && isCall(args)),
    counts: "verdict",
  },
  {
    id: "yaql-in-conditions",
    what: "The refusal of `yaql` in a condition",
    reason: "Heat fails with status 500. Hearth answers 400 and says where the expression stands.",
    applies: (question) =>
      [...conditionsIn(question)].some((one) => hasCallIn(one, ({ name }) => name === "yaql")),
    counts: "verdict",
  },
  {
    id: "sets",
    what: "The order of a list that was a set of `yaql`",
    reason: "In Heat it differs from run to run. In Hearth it is the order of insertion.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => name === "yaql" && /set\(|toSet/.test(textOf(args))),
    counts: "items",
  },
  {
    id: "path-of-get-attr",
    what: "A map or a list in the path of `get_attr`",
    reason: "Heat fails with status 500. In Hearth nothing lies at such a path.",
    applies: (question) =>
      hasCall(
        question,
        ({ name, args }) => name === "get_attr" && isJsonArray(args) && args.some(isCollection),
      ),
    counts: "nothing",
  },
  {
    id: "computed-facade",
    what: "A call that gives the word for `resource_facade`",
    reason: "Heat resolves it when it reads the template, and Hearth when it resolves the value.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => FACADES.has(name) && isJsonObject(args)),
    counts: "values",
  },
];

export const ruleFor = (question: JsonObject): readonly Rule[] =>
  RULES.filter(({ applies }) => applies(question));
