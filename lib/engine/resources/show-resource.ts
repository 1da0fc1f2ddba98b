import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openReference } from "#lib/stack/record/reference.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { readAttributes, resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { standingRow } from "#lib/stack/standing-rows.ts";
import { isHeld } from "#lib/template/held-attributes.ts";
import { REDACTED } from "#lib/template/secrets.ts";
import { findLivingStack, type StackIdentity } from "../stacks/find-stack.ts";
import { type ResourceView, resourceNotFound, viewerOf } from "./resource-view.ts";

/** Hidden attributes are redacted unless the request names them. */
export interface ResourceDetail extends ResourceView {
  readonly attributes: JsonObject;
  readonly waitsFor?: string | null;
}

export const showResource = async (
  ports: Ports,
  identity: StackIdentity,
  name: string,
  withAttr: readonly string[],
): Promise<ResourceDetail> => {
  const { view } = await findResource(ports, identity, name);
  const [attributes, waitsFor] = await Promise.all([
    showAttributes(ports, view, withAttr),
    explainWait(ports, view),
  ]);
  return { ...view, attributes, waitsFor };
};

const findResource = async (ports: Ports, identity: StackIdentity, name: string) => {
  const stack = await findLivingStack(ports, identity);
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const row = await standingRow(ports, stack, name);
  const view = await viewerOf(ports, stack, loaded)(name, row);
  if (view === null) throw resourceNotFound(name, stack);
  return { stack, loaded, view };
};

/** It costs a few reads, so a list leaves it out. */
export const explainWait = async (ports: Ports, { row }: ResourceView): Promise<string | null> => {
  if (row === null || row.operation === null) return null;
  const type = await ports.resourceTypes.get(row.type);
  const retried = type?.explainRetry?.(row) ?? null;
  if (retried !== null || row.operation.handle === null) return retried;
  return (await type?.waiting?.explainWait?.(row, resourceContext(ports, row))) ?? null;
};

export const showAttributes = async (
  ports: Ports,
  view: ResourceView,
  withAttr: readonly string[],
): Promise<JsonObject> => {
  const type = await ports.resourceTypes.get(view.row?.type ?? view.type);
  const declared = type?.schema.attributes ?? {};
  const stored = view.row ? (await openReference(ports, view.row)).attributes : {};
  const values = view.row ? await readAttributes(ports, view.row, stored) : {};
  const all = Object.keys(declared === "any" ? values : declared);
  const names = new Set([...all.filter((name) => !isHeld(name)), ...withAttr]);
  const shown = [...names].map((name): [string, Json] => {
    const value = isHeld(name) || !Object.hasOwn(values, name) ? null : (values[name] ?? null);
    const hidden = declared !== "any" && declared[name]?.hidden === true;
    return [name, hidden && value !== null && !withAttr.includes(name) ? REDACTED : value];
  });
  return mapOf(shown);
};

export const showResourceMetadata = async (
  ports: Ports,
  identity: StackIdentity,
  name: string,
): Promise<JsonObject> => {
  const { stack, loaded } = await findResource(ports, identity, name);
  return resolveMetadata(ports, stack, loaded, name);
};
