/** The outputs that the parent's template refers to and, except in a chain, the references. */
import { type Json, mapOf } from "#lib/json.ts";
import type { GroupSource, Referenced } from "#lib/model/group-record.ts";
import { attributeLabel } from "#lib/template/held-attributes.ts";

export type Outputs = ReadonlyMap<string, Json>;

export const REFS_MAP = "refs_map";

export const groupOutputs = (
  { kind, referenced }: GroupSource,
  names: readonly string[],
): Outputs => {
  switch (kind) {
    case "chain":
      return chainOutputs(names, referenced);
    case "resource group":
      return resourceGroupOutputs(names, referenced);
    case "scaling group":
      return autoScalingOutputs(names, referenced);
    case "instance group":
      return instanceGroupOutputs(names, referenced);
  }
};

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

/** Values of a ResourceGroup that are no outputs of its nested stack. */
const OWN_OF_RESOURCE_GROUP: ReadonlySet<string> = new Set([REFS_MAP, "removed_rsrc_list"]);

const listOutput = (
  isChain: boolean,
  names: ReadonlySet<string>,
  { key, path }: Referenced,
): readonly [string, Json] | null => {
  const label = attributeLabel(key, ...path);
  const ofMember = memberPath(key);
  if (ofMember !== null) {
    const [name, ...attribute] = ofMember;
    const inside = [...attribute, ...path];
    if (!names.has(name)) return null;
    if (inside.length > 0) return [label, attributeOf(name, ...inside)];
    return isChain ? [label, referenceTo(name)] : null;
  }
  if (key === "refs") return [isChain ? label : key, [...names].map(referenceTo)];
  if (key === "attributes") {
    if (path.length === 0) return null;
    return [label, byName([...names], (name) => attributeOf(name, ...path))];
  }
  if (!isChain && OWN_OF_RESOURCE_GROUP.has(key)) return null;
  return [label, [...names].map((name) => attributeOf(name, key, ...path))];
};

const listOutputs = (
  isChain: boolean,
  names: readonly string[],
  referenced: readonly Referenced[],
): readonly (readonly [string, Json])[] => {
  const known = new Set(names);
  return referenced.flatMap((attribute) => {
    const output = listOutput(isChain, known, attribute);
    return output === null ? [] : [output];
  });
};

export const resourceGroupOutputs = (
  names: readonly string[],
  referenced: readonly Referenced[],
): Outputs =>
  new Map([...listOutputs(false, names, referenced), [REFS_MAP, byName(names, referenceTo)]]);

/** A ResourceChain has no map of references. */
export const chainOutputs = (
  names: readonly string[],
  referenced: readonly Referenced[],
): Outputs => new Map(listOutputs(true, names, referenced));

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
