/** What others can read of a group: its own attributes, and one value for each path they use. */
import { REFS_MAP } from "#lib/groups/outputs.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import { attributeLabel, BY_LABEL } from "#lib/template/attribute-label.ts";
import { member } from "#lib/template/json-shape.ts";

/** Heat selects from these by the path, as from any other attribute. */
const OWN = ["refs", REFS_MAP] as const;

const isPathInOwn = (label: string): boolean => OWN.some((key) => label.startsWith(`${key}, `));

/** `resource.N` without a path is the reference of the member. */
const referenceOf = (key: string, refs: JsonObject): Json | undefined => {
  const [word, name, ...rest] = key.split(".");
  return word === "resource" && name !== undefined && rest.length === 0
    ? member(refs, name)
    : undefined;
};

/** `outputs` are those of the nested stack. */
export const groupAttributes = (
  group: GroupSource | undefined,
  outputs: JsonObject,
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
  );
};
