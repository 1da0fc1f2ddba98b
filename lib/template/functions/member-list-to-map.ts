/** Fn::MemberListToMap: a map of a list such as `.member.0.Name=key`, `.member.0.Value=value`. */
import { validationFailed } from "#lib/errors.ts";
import { DIGITS_MAX, type Json, mapOf } from "#lib/json.ts";
import { cannotUnpack, itemsOf } from "../python-sequence.ts";
import { pythonType } from "../python-text.ts";
import { argument, listOf, row, TEXT, takesWritten, textLike, written } from "./arguments.ts";
import type { IsCall, TemplateFunction } from "./function.ts";

const MEMBERS_USAGE = `Wrong Arguments try: "
            {'Fn::MemberListToMap': ['Name', 'Value',
                                     ['.member.0.Name=key',
                                      '.member.0.Value=door']]}
            "`;

/** As in Python, `.` does not match a newline, so the text after one is ignored. */
const MEMBER = /^\.member\.([0-9]+)\.(.*)/;

const refuseMembers = (args: Json, isCall: IsCall): string | null => {
  if (isCall(args)) return cannotUnpack("Function");
  const items = itemsOf(args);
  if (items === null) return cannotUnpack(pythonType(args));
  if (items.length !== 3) return MEMBERS_USAGE;
  const [keyName, valueName] = items;
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
