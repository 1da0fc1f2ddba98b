/** What templates can read of a group: its own attributes, and one value per path that they use. */
import { isBarrierName } from "#lib/groups/barriers.ts";
import { groupOutputs, type Outputs, REFS_MAP } from "#lib/groups/outputs.ts";
import { leavingOf, membersOf } from "#lib/groups/record.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { GroupSource } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { plannedRows } from "#lib/stack/planned-rows.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { type RowReading, resolveInStack } from "#lib/stack/resolve-in-stack.ts";
import { convergesTo } from "#lib/stack/stack-predicates.ts";
import { resolveOutputs } from "#lib/template/functions/resolve.ts";
import { attributeLabel, BY_LABEL, heldErrors } from "#lib/template/held-attributes.ts";
import { member } from "#lib/template/json-shape.ts";
import { type NestedOutputs, namedOutputs } from "../nested/nested-result.ts";
import { hasReachedTarget, isGone } from "../nested/nested-stack.ts";
import { hasScaledGroup } from "../nested/nested-type.ts";
import { serves } from "./found-group.ts";

interface FoundOutputs extends NestedOutputs {
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

export const servingNames = async (
  engine: Ports,
  stack: Stack,
  { record }: GroupSource,
): Promise<readonly string[]> => {
  const rows = (await plannedRows(engine, stack.id)).filter(serves);
  const serving = new Set(
    rows.toSorted((one, other) => one.createdAt - other.createdAt).map(nameOf),
  );
  const known = membersOf(record).map(nameOf);
  const names = new Set([...known.filter((name) => serving.has(name)), ...serving]);
  return [...names].filter((name) => !isBarrierName(name));
};

const nameOf = ({ name }: { readonly name: string }): string => name;

const resolved = async (
  engine: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  outputs: Outputs,
  reading: RowReading = {},
): Promise<NestedOutputs> => {
  const asked = [...outputs].map(([name, value]) => ({ name, value, description: "" }));
  return resolveInStack(
    engine,
    stack,
    loaded,
    (scope, shared) => namedOutputs(asked, resolveOutputs(loaded.template, asked, scope, shared)),
    reading,
  );
};

interface PresentMembers extends NestedOutputs {
  readonly name: string;
  readonly group: GroupSource;
  readonly serving: readonly string[];
}

/** An attribute of a single member can be read from any of its rows, as for any other resource. */
const isOfOneMember = ({ key }: GroupSource["referenced"][number]): boolean =>
  key.startsWith("resource.");

export const presentMembers = async (
  engine: Ports,
  stack: Stack,
): Promise<PresentMembers | null> => {
  const loaded = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  const { group } = loaded.source;
  if (group === undefined) return null;
  const serving = await servingNames(engine, stack, group);
  const { referenced } = group;
  const ofAll = { ...group, referenced: referenced.filter((one) => !isOfOneMember(one)) };
  const ofOne = { ...group, referenced: referenced.filter(isOfOneMember) };
  const names = membersOf(group.record).map(nameOf);
  const single = await resolved(engine, stack, loaded, groupOutputs(ofOne, names));
  const all = await resolved(engine, stack, loaded, groupOutputs(ofAll, serving), {
    isRead: serves,
  });
  return {
    name: stack.owner?.resourceName ?? stack.name,
    group,
    serving,
    outputs: mapOf([...Object.entries(single.outputs), ...Object.entries(all.outputs)]),
    errors: new Map([...single.errors, ...all.errors]),
  };
};

const isAsStored = async (engine: Ports, row: Resource, stack: Stack): Promise<boolean> => {
  const { owner } = stack;
  if (row.status !== "COMPLETE" || row.operation !== null || !hasReachedTarget(stack)) return false;
  if (stack.traversalId !== owner?.childTraversalId || owner.step === "closed") return false;
  // A user has marked a member, or the last update visited all. Other actions store no attributes.
  if (stack.visitsAll || !convergesTo(stack.action)) return false;
  return (await hasNoSurplus(engine, stack)) && !(await hasScaledGroup(engine, stack));
};

const hasNoSurplus = async (engine: Ports, { tenant, id, templateId }: Stack): Promise<boolean> => {
  const { group } = (await loadTemplate(engine, tenant, id, templateId)).source;
  return group === undefined || leavingOf(group.record).size === 0;
};

/**
 * Reads the attributes of a group as they are now. The attributes stored in the group's row are
 * those of its last successful operation. A signal, a failed update or a running one changes the
 * members without updating that row. Lists contain the members in service, which are those with a
 * row that is COMPLETE. A member that is being replaced or is about to be removed stays in service
 * until then.
 */
export const presentAttributes =
  (engine: Ports, read: (engine: Ports, stack: Stack) => Promise<JsonObject | null>) =>
  async (row: Resource): Promise<JsonObject | null> => {
    const { tenant, physicalResourceId: id } = row;
    const stack = id === null ? null : await engine.store.getStack(tenant, id);
    if (stack === null || isGone(stack)) return null;
    return (await isAsStored(engine, row, stack)) ? null : read(engine, stack);
  };
