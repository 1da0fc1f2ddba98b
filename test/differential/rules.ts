/**
 * The intended differences; docs/compatibility.md has a row for each. A rule looks only at the
 * question. If it applies, only the named parts of the answers are compared.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isCollection, isJsonArray } from "#lib/template/json-shape.ts";
import { FUNCTION_NAMES } from "./snippets/callers.ts";

export interface Rule {
  readonly id: string;
  readonly what: string;
  readonly reason: string;
  readonly applies: (question: JsonObject) => boolean;
  /**
   * "verdict": two refusals are equal, whatever their texts and phases. "values": a refusal of
   * either side is ignored, and only two values are compared. "items": the order of lists does not
   * count. "nothing": Heat's own code fails, so nothing can be compared.
   */
  readonly counts: "verdict" | "values" | "items" | "nothing";
}

interface WrittenCall {
  readonly name: string;
  readonly args: Json;
}

/** Yields every map with one key. Most of them are calls. */
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

const isCall = (value: Json): boolean => {
  const [name, ...others] = isJsonObject(value) ? Object.keys(value) : [];
  return name !== undefined && others.length === 0 && FUNCTION_NAMES.has(name);
};

/** Python cannot use such a value as a key of a dictionary. */
const isUnhashable = (value: Json): boolean => isCollection(value) && !isCall(value);

const TAKING_NO_CALL: ReadonlySet<string> = new Set([
  "Fn::FindInMap",
  "Fn::GetAtt",
  "Fn::MemberListToMap",
  "Fn::Replace",
  "Fn::Select",
  "Fn::Split",
  "Ref",
]);

const ATTRIBUTES: ReadonlySet<string> = new Set(["get_attr", "Fn::GetAtt"]);
/** Heat checks these only when it has built all calls. */
const LATE: ReadonlySet<string> = new Set(["make_url", "repeat", "yaql"]);
const FACADES: ReadonlySet<string> = new Set(["resource_facade", "Fn::ResourceFacade"]);

const expressionOf = (args: Json): string =>
  isJsonObject(args) && typeof args["expression"] === "string" ? args["expression"] : "";

/** The keys and the items of a dictionary are sets too. */
const SETS = /set\(|toSet|keys\(|items\(/;

function* conditionsIn({ template = null }: JsonObject): Generator<Json> {
  if (isJsonObject(template)) yield template["conditions"] ?? null;
  for (const { name, args } of callsIn(template)) {
    if (name === "if" && isJsonArray(args)) yield args[0] ?? null;
  }
}

/** A question about wrong values has a resource instead of a template. */
const isOf = (question: JsonObject, ...types: readonly Json[]): boolean =>
  types.includes(question["type"] ?? null);

const inProperty = (question: JsonObject, key: string): Json => {
  const { properties = null } = question;
  return isJsonObject(properties) ? (properties[key] ?? null) : null;
};

const hasItem = (value: Json, isMeant: (item: Json) => boolean): boolean =>
  isJsonArray(value) && value.some(isMeant);

const isNoText = (value: Json): boolean => typeof value !== "string";

const READ_WHEN_MADE: ReadonlyMap<Json, string> = new Map([
  ["OS::Heat::RandomString", "sequence"],
  ["OS::Heat::Value", "type"],
  ["OS::Mistral::Workflow", "name"],
  ["OS::Neutron::RBACPolicy", "object_type"],
  ["OS::Neutron::Router", "l3_agent_id"],
  ["OS::Nova::Server", "user_data_format"],
]);

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
    id: "sets-as-lists",
    what: "The order of a list that was a set of `yaql`",
    reason: "In Heat it differs from run to run. In Hearth it is the order of insertion.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => name === "yaql" && SETS.test(expressionOf(args))),
    counts: "items",
  },
  {
    id: "names-of-resources",
    what: "A map or a list as the name of a resource, or in the path of `get_attr`",
    reason: "Heat fails with status 500. In Hearth nothing has such a name.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => {
        if (name === "get_resource") return isUnhashable(args);
        return ATTRIBUTES.has(name) && isJsonArray(args) && args.some(isUnhashable);
      }),
    counts: "nothing",
  },
  {
    id: "complex-numbers",
    what: "Powers in `yaql` that are complex numbers",
    reason: "JSON has no complex numbers, and Hearth refuses to compute with them.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => name === "yaql" && /pow\(/.test(expressionOf(args))),
    counts: "values",
  },
  {
    id: "first-of-several-errors",
    what: "Which error is told of a value that has several",
    reason: "Hearth looks at attributes last. Heat takes the calls in their order.",
    applies: (question) =>
      hasCall(
        question,
        ({ name, args }) =>
          LATE.has(name) && hasCallIn(args, (inner) => ATTRIBUTES.has(inner.name)),
      ),
    counts: "verdict",
  },
  {
    id: "computed-names",
    what: "The refusal of a name of a resource that a call gives",
    reason: "Heat fails with status 500 where the call fails. In Hearth only the output fails.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => name === "get_resource" && isCall(args)),
    counts: "verdict",
  },
  {
    id: "end-of-iteration",
    what: "The text where an expression of `yaql` takes an item that is not there",
    reason: "Python has no text, or one about its generators, by the place of the call in a list.",
    applies: (question) =>
      hasCall(
        question,
        ({ name, args }) => name === "yaql" && /first\(|last\(|single\(/.test(expressionOf(args)),
      ),
    counts: "verdict",
  },
  {
    id: "computed-facade",
    what: "A call that gives the word for `resource_facade`",
    reason: "Heat resolves it when it reads the template, and Hearth when it resolves the value.",
    applies: (question) =>
      hasCall(question, ({ name, args }) => FACADES.has(name) && isJsonObject(args)),
    counts: "values",
  },
  {
    id: "read-when-made",
    what: "The text for a wrong value that Heat reads when it makes its object of a resource",
    reason: "There Heat says no place. In the root of a request Hearth says it.",
    applies: (question) => {
      const key = READ_WHEN_MADE.get(question["type"] ?? null);
      return (
        question["place"] === "root" &&
        key !== undefined &&
        isNoText(inProperty(question, key) ?? "")
      );
    },
    counts: "verdict",
  },
  {
    id: "nulls-in-groups",
    what: "A null among the properties of the members of a group",
    reason:
      "Heat makes members without it, and checks the first with it. Hearth does both without.",
    applies: ({ place, properties = null }) =>
      (place === "group" || place === "group in a template") &&
      isJsonObject(properties) &&
      Object.values(properties).includes(null),
    counts: "values",
  },
  {
    id: "types-that-are-no-text",
    what: "A type in a chain that is no text",
    reason: "Heat fails with an error of Python. In Hearth no type has such a name.",
    applies: (question) =>
      isOf(question, "OS::Heat::ResourceChain") &&
      hasItem(inProperty(question, "resources"), isNoText),
    counts: "verdict",
  },
  {
    id: "policies-of-no-text",
    what: "A map or a list among the resources of an `OS::Heat::AccessPolicy`",
    reason: "Python cannot look it up. In Hearth nothing has such a name.",
    applies: (question) =>
      isOf(question, "OS::Heat::AccessPolicy") &&
      hasItem(inProperty(question, "AllowedResources"), isUnhashable),
    counts: "verdict",
  },
  {
    id: "unknown-sequences",
    what: "The class of characters of an `OS::Heat::RandomString` by its old name, `sequence`",
    reason: "Heat accepts any, and fails when it makes the text. Hearth refuses it at once.",
    applies: (question) =>
      isOf(question, "OS::Heat::RandomString") && inProperty(question, "sequence") !== null,
    counts: "values",
  },
];

export const rulesFor = (question: JsonObject): readonly Rule[] =>
  RULES.filter(({ applies }) => applies(question));
