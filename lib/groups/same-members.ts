/**
 * P24: which members two records of a group want alike. Members share their definitions, so each
 * definition is compared once, however many members have it.
 */
import type { GroupRecord } from "#lib/model/group-record.ts";
import { membersOf, textOfDefinition } from "./record.ts";

/** By the name of a member, the text of its definition. */
const textsOf = (record: GroupRecord): ReadonlyMap<string, string> => {
  const texts = new Map(record.definitions.map((one) => [one, textOfDefinition(one)]));
  const members = membersOf(record);
  return new Map(members.map(({ name, definition }) => [name, texts.get(definition) ?? ""]));
};

/** The name is a member of both, with one definition. The index variable belongs to that. */
export const sameMembers = (
  before: GroupRecord,
  after: GroupRecord,
): ((name: string) => boolean) => {
  const [old, now] = [textsOf(before), textsOf(after)];
  return (name) => old.has(name) && old.get(name) === now.get(name);
};
