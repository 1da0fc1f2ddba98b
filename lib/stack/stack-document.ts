/**
 * Heat's document of a stack (prepare_abandon). Abandon and export return it, adopt reads it, and a
 * snapshot stores it. Its values are not encrypted, so it must be sealed before it is stored.
 */

import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { type Json, type JsonObject, mapOf, mergedMaps, parseJson } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports, SealedPlace } from "#lib/ports/ports.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { wholeTemplate } from "./record/group-template.ts";
import { openReference } from "./record/reference.ts";
import {
  type LoadedTemplate,
  loadTemplate,
  type TemplateSource,
} from "./record/template-record.ts";
import { isStale } from "./stack-predicates.ts";
import { standingRows } from "./standing-rows.ts";
import { sealedPlace, snapshotPrefix } from "./stored-places.ts";
import { nestsStack } from "./type-predicates.ts";

const resourceDocument = async (ports: Ports, row: Resource, metadata: JsonObject) => ({
  name: row.name,
  resource_id: row.physicalResourceId,
  type: row.type,
  action: row.action,
  status: row.status,
  metadata,
  resource_data: (await openReference(ports, row)).attributes,
});

const resourcesOf = async (
  ports: Ports,
  stack: Stack,
  { template }: LoadedTemplate,
  { withNested }: DocumentOptions,
): Promise<JsonObject> => {
  const rows = await standingRows(ports, stack);
  const resources: [string, JsonObject][] = [];
  for (const { name, type, metadata } of template.resources.values()) {
    const row = rows.get(name);
    if (!row || type === BARRIER_TYPE) continue;
    const more = withNested ? await forAdoption(ports, row) : {};
    resources.push([name, mergedMaps(await resourceDocument(ports, row, metadata), more)]);
  }
  return mapOf(resources);
};

const forAdoption = async (ports: Ports, row: Resource): Promise<JsonObject> => {
  const type = await ports.resourceTypes.get(row.type);
  if (nestsStack(type)) return nestedDocument(ports, row);
  const state = await type?.adoption?.describe?.(row);
  return state ? { state } : {};
};

/** The files of the nested stack are in the root's document. */
const nestedDocument = async (ports: Ports, row: Resource): Promise<JsonObject> => {
  if (row.physicalResourceId === null) return {};
  const stack = await ports.store.getStack(row.tenant, row.physicalResourceId);
  if (stack === null) return {};
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const { source } = loaded;
  return {
    ...stateDocument(stack, source),
    template: wholeTemplate(source),
    resources: await resourcesOf(ports, stack, loaded, { withNested: true }),
  };
};

const stateDocument = (stack: Stack, { environment }: TemplateSource) => ({
  name: stack.name,
  id: stack.id,
  action: stack.action,
  status: stack.status,
  environment: {
    parameters: environment.parameters,
    parameter_defaults: environment.parameterDefaults,
    resource_registry: mergedMaps<Json>({ resources: {} }, environment.resourceRegistry),
    encrypted_param_names: [],
    event_sinks: [],
  },
  project_id: stack.tenant,
  stack_user_project_id: null,
  tags: [...stack.tags],
});

interface DocumentOptions {
  readonly withNested: boolean;
}

export const stackDocument = async (
  ports: Ports,
  stack: Stack,
  options: DocumentOptions,
): Promise<JsonObject> => {
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  return {
    ...stateDocument(stack, loaded.source),
    files: loaded.source.files,
    template: wholeTemplate(loaded.source),
    resources: await resourcesOf(ports, stack, loaded, options),
  };
};

type SnapshotKey = Pick<Stack, "tenant" | "id">;

const placeOf = ({ tenant, id }: SnapshotKey, key: string): SealedPlace =>
  sealedPlace({ tenant, stackId: id }, "blobs", key);

const snapshotKey = (stack: SnapshotKey, snapshotId: string): string =>
  snapshotPrefix(stack.id) + snapshotId;

/** Comes before the stack's COMPLETE. After a crash in between, the next worker repeats both. */
export const saveSnapshot = async (ports: Ports, stack: Stack): Promise<void> => {
  const text = JSON.stringify(await stackDocument(ports, stack, { withNested: false }));
  // A newer traversal may have changed the rows before this worker read them.
  const now = await ports.store.getStack(stack.tenant, stack.id);
  if (now === null || isStale(now, stack)) return;
  const key = snapshotKey(stack, stack.traversalId);
  await ports.blobs.put(key, await ports.cipher.seal(placeOf(stack, key), text));
};

export const loadSnapshot = async (
  ports: Ports,
  stack: SnapshotKey,
  snapshotId: string,
): Promise<JsonObject | null> => {
  const key = snapshotKey(stack, snapshotId);
  const sealed = await ports.blobs.get(key);
  if (sealed === null) return null;
  return jsonObject.parse(parseJson(await ports.cipher.open(placeOf(stack, key), sealed)));
};

export const deleteSnapshot = (
  ports: Ports,
  stack: SnapshotKey,
  snapshotId: string,
): Promise<void> => ports.blobs.delete(snapshotKey(stack, snapshotId));

export const tagsOf = (document: JsonObject): readonly string[] | undefined => {
  const tags = member(document, "tags") ?? null;
  return isJsonArray(tags) ? tags.map(String) : undefined;
};
