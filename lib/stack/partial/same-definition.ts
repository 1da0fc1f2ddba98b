/**
 * Whether two targets want a resource alike (P24). The definition is compared, with the parameters
 * and files that its calls read. What the resource refers to is not compared here.
 */
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { membersOf, textsOfDefinitions } from "#lib/groups/record.ts";
import { hasSameText, type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { GroupRecord } from "#lib/model/group-record.ts";
import { mappingsOf } from "#lib/template/format.ts";
import { hasCalls, visitReferences } from "#lib/template/functions/calls.ts";
import type { CallReference } from "#lib/template/functions/function.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { definedTypeName } from "../defined-type.ts";
import type { LoadedTemplate } from "../record/template-record.ts";

const textsOf = (record: GroupRecord): ReadonlyMap<string, string> => {
  const textOf = textsOfDefinitions();
  return new Map(membersOf(record).map(({ name, definition }) => [name, textOf(definition)]));
};

const sameMembers = (before: GroupRecord, after: GroupRecord): SameDefinition => {
  const [old, now] = [textsOf(before), textsOf(after)];
  return (name) => old.has(name) && old.get(name) === now.get(name);
};

type Target = Pick<LoadedTemplate, "source" | "template" | "parameters">;

/**
 * What every definition may read. If it differs, no definition counts as the same. Members of a
 * group contain values only, so the facade does not matter to them.
 */
export const hasSameContext = (before: Target, after: Target): boolean =>
  before.template.unread === undefined &&
  after.template.unread === undefined &&
  before.template.version === after.template.version &&
  before.source.group?.isSecret === after.source.group?.isSecret &&
  isExactly(mappingsOf(before.template), mappingsOf(after.template)) &&
  (after.source.group !== undefined ||
    JSON.stringify(before.source.facade) === JSON.stringify(after.source.facade)) &&
  JSON.stringify(before.source.stack) === JSON.stringify(after.source.stack);

const differing = <T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T | undefined, other: T | undefined) => boolean,
): ReadonlySet<string> =>
  new Set(
    [...before.keys(), ...after.keys()].filter(
      (name) => before.has(name) !== after.has(name) || !isSame(before.get(name), after.get(name)),
    ),
  );

/** Functions print a number's kind and keep a map's order, so both count as differences. */
const isExactly = (one: Json | undefined, other: Json | undefined): boolean =>
  hasSameText(one ?? null, other ?? null);

const textOf = (definition: ResourceDefinition): JsonObject => ({
  type: definition.type,
  properties: definition.properties,
  dependsOn: definition.dependsOn,
  requires: definition.requires,
  metadata: definition.metadata,
  deletionPolicy: definition.deletionPolicy,
  updatePolicy: definition.updatePolicy,
  externalId: definition.externalId,
});

/**
 * A row's template decides what its events hide, and a row that is left out keeps its older
 * template.
 */
const hiddenIn = ({ template }: Target): ReadonlyMap<string, boolean> =>
  new Map([...template.parameters].map(([name, { hidden }]) => [name, hidden]));

export type SameDefinition = (name: string) => boolean;

export const sameDefinitions = (before: Target, after: Target): SameDefinition => {
  if (before === after) return (name) => after.template.resources.has(name);
  const functions = functionsOf(after.template.version);
  const parameters = new Set([
    ...differing(before.parameters, after.parameters, isExactly),
    ...differing(hiddenIn(before), hiddenIn(after), (one, other) => one === other),
  ]);
  const files = differing(
    new Map(Object.entries(before.source.files)),
    new Map(Object.entries(after.source.files)),
    (one, other) => one === other,
  );
  const differs = (names: ReadonlySet<string>, name: Json): boolean =>
    // Only resolving would show what a computed name is.
    typeof name === "string" ? names.has(name) : names.size > 0;
  const readsOther = (reference: CallReference): boolean => {
    switch (reference.kind) {
      case "parameter":
        return differs(parameters, reference.parameter);
      case "either":
        return differs(parameters, reference.name);
      case "file":
        return differs(files, reference.file);
      default:
        return false;
    }
  };
  const mayReadOther = ({ properties, metadata, updatePolicy }: ResourceDefinition): boolean => {
    if (parameters.size === 0 && files.size === 0) return false;
    let reads = false;
    visitReferences(functions, [properties, metadata, updatePolicy], "", (reference) => {
      reads ||= readsOther(reference);
    });
    return reads;
  };
  const isAlike = (one: JsonObject, other: JsonObject): boolean =>
    isExactly(one, other) || (jsonEquals(one, other) && !hasCalls(functions, other));
  const [oldGroup, newGroup] = [before.source.group, after.source.group];
  const isSameMember = oldGroup && newGroup && sameMembers(oldGroup.record, newGroup.record);
  /** A barrier of an earlier roll no longer orders anything, even if a new one has its name. */
  const isMember = (name: string): boolean =>
    before.template.resources.get(name)?.type !== BARRIER_TYPE;
  return (name) => {
    const old = before.template.resources.get(name);
    const now = after.template.resources.get(name);
    if (old === undefined || now === undefined) return false;
    if (definedTypeName(before.source, old) !== definedTypeName(after.source, now)) return false;
    if (isSameMember !== undefined) {
      return isSameMember(name) && isExactly(old.requires.filter(isMember), now.requires);
    }
    return (old === now || isAlike(textOf(old), textOf(now))) && !mayReadOther(now);
  };
};
