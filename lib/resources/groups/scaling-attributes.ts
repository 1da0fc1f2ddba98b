/**
 * What templates can read of a scaling group, computed from its present members. As in Heat, failed
 * members are left out.
 */

import { present } from "#lib/errors.ts";
import { indexOf } from "#lib/groups/names.ts";
import { groupOutputs, REFS_MAP } from "#lib/groups/outputs.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { GroupSource, Referenced } from "#lib/model/group-record.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { resolveInStack } from "#lib/stack/resolve-in-stack.ts";
import { resolveOutputs } from "#lib/template/functions/resolve.ts";
import {
  type AttributeErrors,
  attributeLabel,
  BY_LABEL,
  heldErrors,
} from "#lib/template/held-attributes.ts";
import { member } from "#lib/template/json-shape.ts";
import { serves } from "./found-group.ts";
import { missingMember, servingNames } from "./group-attributes.ts";

interface MemberValues {
  readonly group: GroupSource | undefined;
  /** By label: the values of all members, with null for a value that cannot be resolved. */
  readonly values: ReadonlyMap<string, JsonObject>;
  readonly errors: ReadonlyMap<string, AttributeErrors>;
}

/** As in Heat, a member whose attributes fail does not hide the other members. */
const memberValues = async (engine: Ports, stack: Stack): Promise<MemberValues> => {
  const loaded = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  const { group } = loaded.source;
  if (group === undefined) return { group, values: new Map(), errors: new Map() };
  const outputs = groupOutputs(group, await servingNames(engine, stack, group));
  const asked = [...outputs].flatMap(([label, snippet]) =>
    entriesOf(snippet).map(([name, value]) => ({ label, name, value, description: "" })),
  );
  const found = await resolveInStack(
    engine,
    stack,
    loaded,
    (scope, shared) => resolveOutputs(loaded.template, asked, scope, shared),
    { isRead: serves },
  );
  const values = new Map([...outputs.keys()].map((label) => [label, new Map<string, Json>()]));
  const errors = new Map([...outputs.keys()].map((label) => [label, new Map<string, string>()]));
  for (const [at, { label, name }] of asked.entries()) {
    const { value, error } = present(found[at], `the value of ${label} of ${name}`);
    values.get(label)?.set(name, value);
    if (error !== undefined) errors.get(label)?.set(name, error);
  }
  const byName = [...values].map(([label, ofMembers]) => [label, mapOf(ofMembers)] as const);
  return { group, values: new Map(byName), errors };
};

const entriesOf = (snippet: Json): readonly [string, Json][] =>
  isJsonObject(snippet) ? Object.entries(snippet) : [];

/** `wanted` is a member's name, or its position, where 0 is the oldest member. */
const nameOf = (values: JsonObject, wanted: string): string | undefined =>
  Object.hasOwn(values, wanted) ? wanted : Object.keys(values)[indexOf(wanted) ?? -1];

type Labelled = { readonly value: Json } | { readonly error: string };

const NO_VALUES: JsonObject = {};
const NO_ERRORS: AttributeErrors = new Map();

const labelledAttribute = (
  { values, errors }: MemberValues,
  { key, path }: Referenced,
  groupName: string,
): Labelled | null => {
  const [word, wanted, ...rest] = key.split(".");
  const ofMember = word === "resource" && wanted !== undefined ? wanted : null;
  const inside = [...(rest.length === 0 ? [] : [rest.join(".")]), ...path];
  if (ofMember === null && key !== "outputs" && key !== "outputs_list") return null;
  const source =
    ofMember !== null && inside.length === 0
      ? REFS_MAP
      : attributeLabel("outputs", ...(ofMember === null ? path : inside));
  const found = values.get(source) ?? NO_VALUES;
  const failed = errors.get(source) ?? NO_ERRORS;
  if (ofMember !== null) {
    const name = nameOf(found, ofMember);
    if (name === undefined) return { error: missingMember(ofMember, groupName) };
    const error = failed.get(name);
    return error === undefined ? { value: member(found, name) ?? null } : { error };
  }
  const [error] = failed.values();
  if (error !== undefined) return { error };
  return { value: key === "outputs" ? found : Object.values(found) };
};

export const autoScalingAttributes = async (engine: Ports, stack: Stack): Promise<JsonObject> => {
  const found = await memberValues(engine, stack);
  const references = found.values.get(REFS_MAP) ?? NO_VALUES;
  const refs = Object.values(references);
  const labelled = new Map<string, Json>();
  const errors = new Map<string, string>();
  for (const one of found.group?.referenced ?? []) {
    const attribute = labelledAttribute(found, one, stack.owner?.resourceName ?? stack.name);
    if (attribute === null) continue;
    const label = attributeLabel(one.key, ...one.path);
    if ("error" in attribute) errors.set(label, attribute.error);
    else labelled.set(label, attribute.value);
  }
  return mergedMaps<Json>(
    { refs, [REFS_MAP]: references, current_size: refs.length },
    labelled.size === 0 ? {} : { [BY_LABEL]: mapOf(labelled) },
    heldErrors(errors),
  );
};

const INSTANCE_LIST = "InstanceList";

export const instanceAttributes = async (engine: Ports, stack: Stack): Promise<JsonObject> => {
  const { values, errors } = await memberValues(engine, stack);
  const found = Object.values(values.get(INSTANCE_LIST) ?? NO_VALUES);
  const addresses = found.filter((one) => one !== null);
  const [error] = (errors.get(INSTANCE_LIST) ?? NO_ERRORS).values();
  return mergedMaps<Json>(
    // As in Heat, the list is null for a group without servers.
    { [INSTANCE_LIST]: addresses.length === 0 ? null : addresses.join(",") },
    heldErrors(new Map(error === undefined ? [] : [[INSTANCE_LIST, error]])),
  );
};
