/**
 * What others can read of a scaling group, from its members as they are now. As in Heat, failed
 * members have no part in it.
 */

import { RequestError } from "#lib/errors.ts";
import { indexOf } from "#lib/groups/names.ts";
import { REFS_MAP } from "#lib/groups/outputs.ts";
import { membersOf } from "#lib/groups/record.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { GroupSource, Referenced } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isGone } from "#lib/resources/nested/nested-stack.ts";
import { groupOutputs } from "#lib/stack/group-template.ts";
import { resolveInStack } from "#lib/stack/resolve-in-stack.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { attributeLabel, BY_LABEL } from "#lib/template/attribute-label.ts";
import { member } from "#lib/template/json-shape.ts";
import { resolveValue } from "#lib/template/resolve.ts";
import { valueBudget } from "#lib/template/value-budget.ts";
import { membersBelow } from "./found-group.ts";

/** The values of the members' outputs, by label. Null for one that cannot be computed. */
const memberValues = async (
  engine: Ports,
  stack: Stack,
): Promise<{ readonly group: GroupSource | undefined; readonly values: JsonObject }> => {
  const loaded = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  const { group } = loaded.source;
  if (group === undefined) return { group, values: {} };
  const { serving } = await membersBelow(engine, stack, group.record);
  const names = membersOf(group.record).map(({ name }) => name);
  const outputs = groupOutputs(
    group,
    names.filter((name) => serving.has(name)),
  );
  const values = await resolveInStack(engine, stack, loaded, (scope, shared) => {
    const budget = valueBudget(shared);
    const snippetValue = (label: string, snippet: Json): Json => {
      try {
        return resolveValue(loaded.template, snippet, scope, label, budget);
      } catch (error) {
        if (error instanceof RequestError) return null;
        throw error;
      }
    };
    return mapOf([...outputs].map(([label, snippet]) => [label, snippetValue(label, snippet)]));
  });
  return { group, values };
};

const mapAt = (values: JsonObject, label: string): JsonObject => {
  const value = member(values, label) ?? null;
  return isJsonObject(value) ? value : {};
};

/** A member by its name, or by its place: the oldest has 0. */
const ofMember = (values: JsonObject, wanted: string): Json => {
  const names = Object.keys(values);
  const name = Object.hasOwn(values, wanted) ? wanted : names[indexOf(wanted) ?? -1];
  return name === undefined ? null : (member(values, name) ?? null);
};

/** Null: the attribute is one of the group's own, from which the path selects. */
const labelledAttribute = (
  values: JsonObject,
  { key, path }: Referenced,
): readonly [string, Json] | null => {
  const label = attributeLabel(key, ...path);
  if (key === "outputs") return [label, mapAt(values, label)];
  if (key === "outputs_list") {
    return [label, Object.values(mapAt(values, attributeLabel("outputs", ...path)))];
  }
  const [word, name, ...rest] = key.split(".");
  if (word !== "resource" || name === undefined) return null;
  const inside = [...(rest.length === 0 ? [] : [rest.join(".")]), ...path];
  const source = inside.length === 0 ? REFS_MAP : attributeLabel("outputs", ...inside);
  return [label, ofMember(mapAt(values, source), name)];
};

/** Of OS::Heat::AutoScalingGroup. */
export const autoScalingAttributes = async (engine: Ports, stack: Stack): Promise<JsonObject> => {
  const { group, values } = await memberValues(engine, stack);
  const references = mapAt(values, REFS_MAP);
  const refs = Object.values(references);
  const labelled = (group?.referenced ?? []).flatMap((one) => {
    const found = labelledAttribute(values, one);
    return found === null ? [] : [found];
  });
  return mergedMaps<Json>(
    { refs, [REFS_MAP]: references, current_size: refs.length },
    labelled.length === 0 ? {} : { [BY_LABEL]: mapOf(labelled) },
  );
};

const INSTANCE_LIST = "InstanceList";

/** Of the groups of instances, in CloudFormation's words. */
export const instanceAttributes = async (engine: Ports, stack: Stack): Promise<JsonObject> => {
  const { values } = await memberValues(engine, stack);
  const addresses = Object.values(mapAt(values, INSTANCE_LIST)).filter((one) => one !== null);
  // As in Heat, a group without servers has no list.
  return { [INSTANCE_LIST]: addresses.length === 0 ? null : addresses.join(",") };
};

/** Null: nothing has changed the members since the last operation of the group. */
export const presentAttributes =
  (engine: Ports, read: (engine: Ports, stack: Stack) => Promise<JsonObject>) =>
  async ({ tenant, physicalResourceId: id }: Resource): Promise<JsonObject | null> => {
    const stack = id === null ? null : await engine.store.getStack(tenant, id);
    if (stack === null || isGone(stack)) return null;
    return stack.traversalId === stack.owner?.childTraversalId ? null : read(engine, stack);
  };
