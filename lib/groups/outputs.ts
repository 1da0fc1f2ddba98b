/** The outputs that the parent's template refers to and, except in a chain, the references. */
import { type Json, mapOf } from "#lib/json.ts";
import type { Referenced } from "#lib/model/group-record.ts";
import { attributeLabel } from "#lib/template/held-attributes.ts";

export type Outputs = ReadonlyMap<string, Json>;

export const REFS_MAP = "refs_map";

const attributeOf = (...path: readonly Json[]): Json => ({ get_attr: path });
const referenceTo = (name: string): Json => ({ get_resource: name });

const byName = (names: readonly string[], made: (name: string) => Json): Json =>
  mapOf(names.map((name) => [name, made(name)]));

/** `resource.0.address` names member 0 and its attribute `address`, which may contain dots. */
const memberPath = (key: string): readonly [name: string, ...attribute: string[]] | null => {
  const [word, name, ...attribute] = key.split(".");
  if (word !== "resource" || name === undefined) return null;
  return attribute.length === 0 ? [name] : [name, attribute.join(".")];
};

const OWN_OF_RESOURCE_GROUP: ReadonlySet<string> = new Set([
  "refs",
  REFS_MAP,
  "attributes",
  "removed_rsrc_list",
]);

const resourceGroupOutput = (
  names: ReadonlySet<string>,
  { key, path }: Referenced,
): readonly [string, Json] | null => {
  const ofMember = memberPath(key);
  if (ofMember !== null) {
    const [name, ...attribute] = ofMember;
    const inside = [...attribute, ...path];
    if (inside.length === 0 || !names.has(name)) return null;
    return [attributeLabel(key, ...path), attributeOf(name, ...inside)];
  }
  if (key === "refs") return ["refs", [...names].map(referenceTo)];
  if (key === "attributes" && path.length > 0) {
    return [attributeLabel(key, ...path), byName([...names], (name) => attributeOf(name, ...path))];
  }
  if (OWN_OF_RESOURCE_GROUP.has(key)) return null;
  return [attributeLabel(key, ...path), [...names].map((name) => attributeOf(name, key, ...path))];
};

export const resourceGroupOutputs = (
  names: readonly string[],
  referenced: readonly Referenced[],
): Outputs => {
  const known = new Set(names);
  return new Map([
    ...referenced.flatMap((attribute) => {
      const output = resourceGroupOutput(known, attribute);
      return output === null ? [] : [output];
    }),
    [REFS_MAP, byName(names, referenceTo)] as const,
  ]);
};

const chainOutput = (
  names: ReadonlySet<string>,
  { key, path }: Referenced,
): readonly [string, Json] | null => {
  const label = attributeLabel(key, ...path);
  const ofMember = memberPath(key);
  if (ofMember !== null) {
    const [name, ...attribute] = ofMember;
    const inside = [...attribute, ...path];
    if (!names.has(name)) return null;
    return [label, inside.length === 0 ? referenceTo(name) : attributeOf(name, ...inside)];
  }
  if (key === "refs") return [label, [...names].map(referenceTo)];
  if (key !== "attributes") {
    return [label, [...names].map((name) => attributeOf(name, key, ...path))];
  }
  return path.length === 0
    ? null
    : [label, byName([...names], (name) => attributeOf(name, ...path))];
};

/** A ResourceChain has no map of references. */
export const chainOutputs = (
  names: readonly string[],
  referenced: readonly Referenced[],
): Outputs => {
  const known = new Set(names);
  return new Map(
    referenced.flatMap((attribute) => {
      const output = chainOutput(known, attribute);
      return output === null ? [] : [output];
    }),
  );
};

/** The outputs are maps, because the order of the members is known only later. */
export const autoScalingOutputs = (
  names: readonly string[],
  referenced: readonly Referenced[],
): Outputs => {
  const paths = referenced.flatMap(({ key, path }) => {
    const inside = [...(memberPath(key)?.slice(1) ?? []), ...path];
    const isOutput = key === "outputs" || key === "outputs_list" || key.startsWith("resource.");
    return isOutput && inside.length > 0 ? [inside] : [];
  });
  return new Map([
    ...paths.map(
      (path) =>
        [
          attributeLabel("outputs", ...path),
          byName(names, (name) => attributeOf(name, ...path)),
        ] as const,
    ),
    [REFS_MAP, byName(names, referenceTo)] as const,
  ]);
};

export const instanceGroupOutputs = (
  names: readonly string[],
  referenced: readonly Referenced[],
): Outputs => {
  const hasList = referenced.some(({ key }) => key === "InstanceList");
  const address = (name: string): Json => ({ "Fn::GetAtt": [name, "PublicIp"] });
  return new Map([
    ...(hasList ? [["InstanceList", byName(names, address)] as const] : []),
    ["references", byName(names, (name) => ({ Ref: name }))] as const,
  ]);
};
