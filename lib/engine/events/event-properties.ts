/**
 * The properties that a resource had at an event. An event stores none: they stay sealed in the row
 * until the next success replaces them. So only the latest events have properties, and older ones
 * show none.
 */
import { takesTarget } from "#lib/convergence/complete.ts";
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { StackEvent } from "#lib/model/event.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { sourcesOf } from "#lib/template/check/translations.ts";
import { resourceNamed } from "#lib/template/functions/calls.ts";
import {
  hiddenProperties,
  keysWith,
  receivesHidden,
} from "#lib/template/functions/hidden-references.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { REDACTED } from "#lib/template/secrets.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import type { OwnEvent } from "./events-in-order.ts";

interface Kept {
  readonly text: string;
  readonly templateId: string;
}

export const eventProperties = async (
  ports: Ports,
  { stack, event }: OwnEvent,
  events: readonly StackEvent[],
): Promise<JsonObject> => {
  if (event.generation === undefined || stack.deletedAt !== null) return {};
  const row = await ports.store.getResource({ stackId: stack.id, id: event.change.recordId });
  const kept = row && keptAt(stack, row, event, events);
  return row && kept ? shownProperties(ports, row, kept) : {};
};

/** @returns null if the row's texts are not, or may not be, those of the event */
export const keptAt = (
  stack: Pick<Stack, "traversalId" | "templateId">,
  row: Resource,
  event: StackEvent,
  events: readonly StackEvent[],
): Kept | null => {
  const ofRow = events.filter(({ change }) => change.recordId === row.id);
  if (!staysSince(row, event, ofRow)) return null;
  const { operation } = row;
  const isNow = operation !== null && operation.generation === event.generation;
  if (isNow && (operation.action === "CREATE" || operation.action === "ADOPT"))
    return { text: operation.properties, templateId: operation.templateId };
  // A create that failed in this traversal had the properties of its target.
  const isTarget = row.failed?.traversalId === stack.traversalId;
  const templateId = row.templateId ?? (isTarget ? stack.templateId : null);
  return row.properties === null || templateId === null
    ? null
    : { text: row.properties, templateId };
};

const staysSince = (row: Resource, event: StackEvent, ofRow: readonly StackEvent[]): boolean => {
  const { generation = 0 } = event;
  const byGeneration = Map.groupBy(ofRow, (one) => one.generation ?? 0);
  for (let later = generation + 1; later <= row.generation; later++) {
    const told = byGeneration.get(later) ?? [];
    if (told.length === 0 || told.some((one) => takesTarget(one.resourceAction))) return false;
  }
  // As in Heat, an update has the former properties until it succeeds.
  const updates = (byGeneration.get(generation) ?? []).filter(
    ({ resourceAction, resourceStatus }) =>
      resourceAction === "UPDATE" && resourceStatus === "COMPLETE",
  );
  if (updates.some(({ change }) => change.version > event.change.version)) return false;
  // Events are written some time after the row.
  const isOver = row.generation === event.generation && row.operation === null;
  const isUpdated = isOver && row.action === "UPDATE" && row.status === "COMPLETE";
  return !isUpdated || updates.length > 0;
};

const shownProperties = async (
  ports: Ports,
  row: Resource,
  { text, templateId }: Kept,
): Promise<JsonObject> => {
  const loaded = await loadTemplate(ports, row.tenant, row.stackId, templateId);
  const definition = loaded.template.resources.get(row.name);
  if (definition === undefined) return {};
  const given = new Set(Object.keys(definition.properties));
  const secret = await secretKeys(ports, loaded, definition);
  const type = await ports.resourceTypes.get(row.type);
  const translations = type?.schema.translations ?? [];
  const values = await openProperties(ports, row, text);
  const shown = Object.entries(values).flatMap(([key, value]): [string, Json][] => {
    const names = [key, ...sourcesOf(translations, key)];
    if (!names.some((name) => given.has(name))) return [];
    return [[key, names.some((name) => secret.has(name)) ? REDACTED : value]];
  });
  return mapOf(shown);
};

/** Keys that may show a hidden parameter or a hidden attribute, also through other resources. */
const secretKeys = async (
  ports: Ports,
  { template, source }: LoadedTemplate,
  { properties, requires }: ResourceDefinition,
): Promise<ReadonlySet<string>> => {
  const hiders = new Set<string>();
  for (const name of requires) {
    const required = template.resources.get(name);
    const type = required === undefined ? null : await definedType(ports, source, required);
    if (hasHiddenAttribute(type)) hiders.add(name);
  }
  const readsHider = keysWith(functionsOf(template.version), properties, (reference) => {
    const name = resourceNamed(reference);
    return name === null ? "resource" in reference && hiders.size > 0 : hiders.has(name);
  });
  const receiving = Object.entries(properties)
    .filter(([key, value]) => receivesHidden(template, { [key]: value }))
    .map(([key]) => key);
  return new Set([...hiddenProperties(template, properties), ...readsHider, ...receiving]);
};

const hasHiddenAttribute = (type: ResourceType | null): boolean => {
  const attributes = type?.schema.attributes ?? {};
  return attributes !== "any" && Object.values(attributes).some(({ hidden }) => hidden === true);
};
