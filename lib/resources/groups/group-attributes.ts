/** What templates can read of a group: its own attributes, and one value per path that they use. */
import { REFS_MAP } from "#lib/groups/outputs.ts";
import { membersOf } from "#lib/groups/record.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { NestedOutputs } from "#lib/resources/nested/nested-result.ts";
import { attributeLabel, BY_LABEL, heldErrors } from "#lib/template/held-attributes.ts";
import { member } from "#lib/template/json-shape.ts";

export interface FoundOutputs extends NestedOutputs {
  readonly name: string;
  readonly group: GroupSource | undefined;
}

const OWN = ["refs", REFS_MAP] as const;

const isPathInOwn = (label: string): boolean => OWN.some((key) => label.startsWith(`${key}, `));

const referenceOf = (key: string, refs: JsonObject): Json | undefined => {
  const [word, name, ...rest] = key.split(".");
  return word === "resource" && name !== undefined && rest.length === 0
    ? member(refs, name)
    : undefined;
};

export const missingMember = (member: string, group: string): string =>
  `Member '${member}' not found in group resource '${group}'.`;

const memberIn = (key: string): string | null => {
  const [word, name] = key.split(".");
  return word === "resource" && name !== undefined ? name : null;
};

const missingMembers = (
  name: string,
  group: GroupSource | undefined,
): readonly (readonly [string, string])[] => {
  if (group === undefined) return [];
  const members = new Set(membersOf(group.record).map((one) => one.name));
  return group.referenced.flatMap(({ key, path }) => {
    const wanted = memberIn(key);
    return wanted === null || members.has(wanted)
      ? []
      : [[attributeLabel(key, ...path), missingMember(wanted, name)] as const];
  });
};

/**
 * `outputs` and `errors` come from the nested stack. Errors are those of the members, as in Heat.
 */
export const groupAttributes = (
  { name, group, outputs, errors }: FoundOutputs,
  own: JsonObject,
): JsonObject => {
  const entries = Object.entries(outputs);
  const refs = member(outputs, REFS_MAP) ?? {};
  const references = (group?.referenced ?? []).flatMap(({ key, path }): [string, Json][] => {
    const value = path.length === 0 && isJsonObject(refs) ? referenceOf(key, refs) : undefined;
    return value === undefined ? [] : [[attributeLabel(key), value]];
  });
  const isOwn = (label: string): boolean => OWN.some((key) => key === label);
  const others = entries.filter(([label]) => !isOwn(label) && !isPathInOwn(label));
  const labelled = mapOf([...others, ...references]);
  return mergedMaps<Json>(
    mapOf(entries.filter(([label]) => isOwn(label))),
    own,
    Object.keys(labelled).length === 0 ? {} : { [BY_LABEL]: labelled },
    heldErrors(new Map([...errors, ...missingMembers(name, group)])),
  );
};
