import { validationFailed } from "#lib/errors.ts";
import { DIGITS_MAX, isJsonObject, type Json, magnitudeOf, mapOf } from "#lib/json.ts";
import { describeJsonError } from "../json-error.ts";
import {
  DEPTH_MAX,
  isCollection,
  isDeeperThan,
  isJsonArray,
  jsonFromText,
  member,
  TOO_DEEP,
} from "../json-shape.ts";
import { pythonRepr, pythonText, pythonType } from "../python-text.ts";
import { cannotUnpack, integerFrom, itemsOf } from "../python-values.ts";
import { parameterNamed, unknownReference } from "../scope.ts";
import {
  ANY,
  argument,
  type Evaluation,
  type IsCall,
  integer,
  listOf,
  mapOfAll,
  NOTHING,
  row,
  SCALAR,
  TEXT,
  type TemplateFunction,
  takes,
  takesWritten,
  textLike,
  written,
} from "./function.ts";
import { splitText } from "./join-and-split.ts";

const SPLIT_USAGE =
  'Incorrect arguments to "Fn::Split" should be: "Fn::Split" : [ ",", "str1,str2"]]';

export const wrongItems = (
  args: Json,
  isCall: IsCall,
  count: number,
  usage: string,
): string | null => {
  if (isCall(args)) return cannotUnpack("Function");
  const items = itemsOf(args);
  if (items === null) return cannotUnpack(pythonType(args));
  return items.length === count ? null : usage;
};

export const cfnSplit: TemplateFunction = {
  name: "Fn::Split",
  description: "The parts of a text between delimiters.",
  takes: takesWritten(
    row(
      written(argument("delimiter", "what stands between the parts", TEXT)),
      argument("text", "what has the parts", TEXT),
    ),
  ),
  refuse: (args, isCall) => {
    if (typeof args === "string" || (isJsonObject(args) && !isCall(args))) return SPLIT_USAGE;
    return wrongItems(args, isCall, 2, SPLIT_USAGE);
  },
  evaluate: (args, evaluation) => {
    const [delimiter = null, unresolved = null] = itemsOf(args) ?? [];
    const text = evaluation.resolve(unresolved);
    if (typeof delimiter !== "string") {
      throw validationFailed("Delimiter for Fn::Split must be string");
    }
    if (typeof text !== "string") {
      throw validationFailed(`String to split must be string; got <class '${pythonType(text)}'>`);
    }
    return splitText("Fn::Split", text, delimiter, evaluation, true);
  },
};

export const cfnBase64: TemplateFunction = {
  name: "Fn::Base64",
  description: "The text itself, because user data is given in plain text.",
  takes: takes(TEXT),
  refuse: () => null,
  evaluate: (args, { resolve }) => {
    const text = resolve(args);
    if (typeof text === "string") return text;
    throw validationFailed('"Fn::Base64" argument must be a string');
  },
};

export const getAvailabilityZones: TemplateFunction = {
  name: "Fn::GetAZs",
  description: "The availability zones: one, with the name that Heat uses where it asks no cloud.",
  takes: takes(ANY),
  refuse: () => null,
  evaluate: () => ["nova"],
};

export const ref: TemplateFunction = {
  name: "Ref",
  description: "The reference id of a resource, or the value of a parameter.",
  takes: takesWritten(TEXT),
  // Heat looks up the name when it builds the call, and Python cannot hash a list or a map.
  refuse: (args, isCall) => {
    if (isJsonArray(args)) return "unhashable type: 'list'";
    if (!isJsonObject(args)) return null;
    return `unhashable type: '${isCall(args) ? "Function" : "dict"}'`;
  },
  refersTo: (name) => ({ kind: "either", name }),
  evaluate: (name, evaluation) => {
    if (typeof name !== "string") throw unknownReference(name, "unknown");
    const reference = evaluation.resource(name);
    if (reference !== null) return reference.refId ?? (reference.isNameless ? null : name);
    const value = parameterNamed(evaluation, name);
    if (value === undefined) throw unknownReference(name, "unknown");
    return value;
  },
};

/** Conditions are resolved before any resource exists. */
export const refToParameter: TemplateFunction = {
  ...ref,
  description: "The value of a parameter.",
  takes: takes(TEXT),
  refersTo: (parameter) => ({ kind: "parameter", parameter }),
  refuse: () => null,
  evaluate: (unresolved, evaluation) => {
    const name = evaluation.resolve(unresolved);
    if (isCollection(name)) throw validationFailed(`unhashable type: '${pythonType(name)}'`);
    const value = typeof name === "string" ? parameterNamed(evaluation, name) : undefined;
    if (value === undefined) throw unknownReference(name, "unknown");
    return value;
  },
};

const SELECT_USAGE = 'Arguments to "Fn::Select" must be of the form [index, collection]';

const collectionIn = (text: string, { budget }: Evaluation): Json => {
  budget.search("Fn::Select", text.length);
  const collection = jsonFromText(text);
  if (collection === undefined) throw validationFailed(`"Fn::Select": ${describeJsonError(text)}`);
  if (isDeeperThan(collection, DEPTH_MAX)) throw validationFailed(`"Fn::Select": ${TOO_DEEP}`);
  return collection;
};

const itemAt = (list: readonly Json[], key: Json): Json => {
  const index = key === null || isCollection(key) ? null : integerFrom(key);
  if (index === null) throw validationFailed('Index to "Fn::Select" must be an integer');
  const item = list.at(Number(magnitudeOf(index)));
  return item === undefined ? "" : item;
};

export const cfnSelect: TemplateFunction = {
  name: "Fn::Select",
  description: "An item of a list or a map, or an empty text.",
  takes: takesWritten(
    row(
      argument("index", "counts from 0", integer()),
      argument("list", "may be written in JSON", listOf(ANY), textLike('["a"]'), NOTHING),
    ),
    row(
      argument("key", "what the item is called", TEXT),
      argument("map", "may be written in JSON", mapOfAll(ANY), textLike('{"a": "b"}'), NOTHING),
    ),
  ),
  refuse: (args, isCall) => wrongItems(args, isCall, 2, SELECT_USAGE),
  evaluate: (args, evaluation) => {
    const [lookup = null, unresolved = null] = itemsOf(args) ?? [];
    const key = evaluation.resolve(lookup);
    const given = evaluation.resolve(unresolved);
    if (given === "") return "";
    const collection = typeof given === "string" ? collectionIn(given, evaluation) : given;
    if (isJsonObject(collection)) {
      if (typeof key !== "string") throw validationFailed('Index to "Fn::Select" must be a string');
      const value = member(collection, key);
      return value === undefined ? "" : value;
    }
    if (isJsonArray(collection)) return itemAt(collection, key);
    if (collection === null) return "";
    throw validationFailed("Arguments to Fn::Select not fully resolved");
  },
};

const KEYS = 3;

const wrongCount = (count: number): string =>
  pythonRepr(
    count < KEYS
      ? `not enough values to unpack (expected ${KEYS}, got ${count})`
      : `too many values to unpack (expected ${KEYS})`,
  );

export const findInMap: TemplateFunction = {
  name: "Fn::FindInMap",
  description: "A value of the Mappings section.",
  takes: takesWritten(
    row(
      argument("map", "the name of the mapping", SCALAR),
      argument("key", "a key in it", SCALAR),
      argument("name", "a key below the first one", SCALAR),
    ),
  ),
  mayStandInCondition: true,
  refuse: (args, isCall) => wrongItems(args, isCall, KEYS, wrongCount(itemsOf(args)?.length ?? 0)),
  evaluate: (args, { resolve, mappings }) => {
    const keys = (itemsOf(args) ?? []).map(resolve);
    return keys.reduce<Json>((map, key) => {
      const value = isJsonObject(map) ? member(map, pythonText(key)) : undefined;
      if (value !== undefined) return value;
      throw validationFailed(`The mappings have no value at ${keys.map(pythonRepr).join(", ")}`);
    }, mappings);
  },
};

const MEMBERS_USAGE = `Wrong Arguments try: "
            {'Fn::MemberListToMap': ['Name', 'Value',
                                     ['.member.0.Name=key',
                                      '.member.0.Value=door']]}
            "`;

/** As in Python, `.` does not match a newline, so the text after one is ignored. */
const MEMBER = /^\.member\.([0-9]+)\.(.*)/;

const refuseMembers = (args: Json, isCall: IsCall): string | null => {
  const wrong = wrongItems(args, isCall, 3, MEMBERS_USAGE);
  if (wrong !== null) return wrong;
  const [keyName, valueName] = itemsOf(args) ?? [];
  if (typeof keyName !== "string") return "Fn::MemberListToMap Key Name must be a string";
  if (typeof valueName !== "string") return "Fn::MemberListToMap Value Name must be a string";
  return null;
};

const pairOf = (item: Json, index: number): readonly [string, string] => {
  if (typeof item !== "string") throw validationFailed("Member list items must be strings");
  const at = item.indexOf("=");
  if (at !== -1) return [item.slice(0, at), item.slice(at + 1)];
  throw validationFailed(
    `dictionary update sequence element #${index} has length 1; 2 is required`,
  );
};

const membersOf = (items: readonly Json[]): ReadonlyMap<bigint, ReadonlyMap<string, string>> => {
  const members = new Map<bigint, Map<string, string>>();
  for (const [path, value] of new Map(items.map(pairOf))) {
    const [, number, name] = MEMBER.exec(path) ?? [];
    // Python cannot read longer numbers, and Heat leaves such members out.
    if (number === undefined || name === undefined || number.length > DIGITS_MAX) continue;
    const index = BigInt(number);
    const member = members.get(index) ?? new Map<string, string>();
    members.set(index, member);
    member.set(name, value);
  }
  return members;
};

/** Fn::MemberListToMap: a map of a list such as `.member.0.Name=key`, `.member.0.Value=value`. */
export const memberListToMap: TemplateFunction = {
  name: "Fn::MemberListToMap",
  description: "A map of a list of numbered names and values.",
  takes: takesWritten(
    row(
      written(argument("keyName", "what names the keys", TEXT)),
      written(argument("valueName", "what names the values", TEXT)),
      argument("members", "such as `.member.0.Name=key`", listOf(textLike(".member.0.a=a"))),
    ),
  ),
  refuse: refuseMembers,
  evaluate: (args, { resolve }) => {
    const [keyName = null, valueName = null, unresolved = null] = itemsOf(args) ?? [];
    const items = itemsOf(resolve(unresolved));
    if (items === null) throw validationFailed("Member list must be a list");
    const members = [...membersOf(items)].sort(([left], [right]) => (left < right ? -1 : 1));
    const pairs = members.flatMap(([, member]) => {
      const key = member.get(String(keyName));
      const value = member.get(String(valueName));
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    });
    return mapOf(pairs);
  },
};
