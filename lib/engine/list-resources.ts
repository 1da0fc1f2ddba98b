/** Reading the resources of a stack: one a name, whichever row stands for it now. */
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { bestResources } from "#lib/stack/best-resource.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { openReference } from "#lib/stack/reference.ts";
import { readAttributes, resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/template-record.ts";
import { REDACTED } from "#lib/template/secrets.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { findLivingStack, findStack, type StackIdentity } from "./find-stack.ts";

/** `row` is null for a name whose row is not made yet: it is shown as INIT_COMPLETE. */
export interface ResourceView {
  readonly stack: Stack;
  readonly name: string;
  readonly type: string;
  readonly row: Resource | null;
  readonly requiredBy: readonly string[];
  readonly description: string;
  /** The stack that the resource is, where it is one. */
  readonly nested: Pick<Stack, "tenant" | "id" | "name"> | null;
}

/** `attributes` are those of the type; hidden ones are redacted unless asked for by name. */
export interface ResourceDetail extends ResourceView {
  readonly attributes: JsonObject;
  /** What its operation waits for, in one line; null or absent: nothing is known. */
  readonly waitsFor?: string | null;
}

/** Every name of the target in its order, then the names of which only rows to be removed are left; then, as deep as asked for, those of the stacks below. */
export const listResources = async (
  ports: Ports,
  identity: StackIdentity,
  nestedDepth = 0,
): Promise<readonly ResourceView[]> =>
  listDown(ports, await findStack(ports, identity), nestedDepth);

const listDown = async (
  ports: Ports,
  stack: Stack,
  depth: number,
): Promise<readonly ResourceView[]> => {
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const own = await viewResources(ports, stack, loaded);
  if (depth === 0) return own;
  const below = await Promise.all(
    own.map(async ({ nested }) => {
      const child = nested && (await ports.store.getStack(stack.tenant, nested.id));
      return child ? listDown(ports, child, depth - 1) : [];
    }),
  );
  return [...own, ...below.flat()];
};

/** As listResources, with the attributes of each. */
export const listResourceDetails = async (
  ports: Ports,
  identity: StackIdentity,
  nestedDepth = 0,
): Promise<readonly ResourceDetail[]> => {
  const views = await listResources(ports, identity, nestedDepth);
  const detailed = views.map(async (view) => ({
    ...view,
    attributes: await showAttributes(ports, view, []),
  }));
  return Promise.all(detailed);
};

const viewResources = async (
  ports: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
): Promise<readonly ResourceView[]> => {
  const rows = bestResources(await ports.store.listResources(stack.id), stack.templateId);
  const { resources } = loaded.template;
  const requiredBy = dependents(resources);
  const names = new Set([...resources.keys(), ...rows.keys()]);
  return [...names].flatMap((name) => {
    const definition = resources.get(name);
    const row = rows.get(name) ?? null;
    const type = shownType(loaded, definition, row);
    if (type === undefined) return [];
    return [
      {
        stack,
        name,
        type,
        row,
        requiredBy: requiredBy.get(name) ?? [],
        description: definition?.description ?? "",
        nested: nestedStackOf(ports, stack, row),
      },
    ];
  });
};

/** What the template calls it, as long as the row is what that stands for. */
const shownType = (
  { source }: LoadedTemplate,
  definition: ResourceDefinition | undefined,
  row: Resource | null,
): string | undefined => {
  if (row === null || row.type === "" || definition === undefined) {
    return definition?.type ?? row?.type;
  }
  return definedTypeName(source, definition) === row.type ? definition.type : row.type;
};

export const nestedStackOf = (
  ports: Ports,
  stack: Stack,
  row: Resource | null,
): ResourceView["nested"] => {
  const id = row?.physicalResourceId ?? null;
  if (row === null || id === null) return null;
  if (ports.resourceTypes.get(row.type)?.nests === undefined) return null;
  const call = { stackName: stack.name, resourceName: row.name };
  return { tenant: stack.tenant, id, name: physicalName(call, id) };
};

export const dependents = (
  resources: ReadonlyMap<string, ResourceDefinition>,
): ReadonlyMap<string, readonly string[]> => {
  const requiredBy = new Map<string, string[]>();
  for (const { name, requires } of resources.values()) {
    for (const required of requires) {
      const names = requiredBy.get(required);
      if (names) names.push(name);
      else requiredBy.set(required, [name]);
    }
  }
  return requiredBy;
};

export const resourceNotFound = (name: string, stack: Stack): RequestError =>
  new RequestError(
    "ResourceNotFound",
    404,
    `The Resource (${name}) could not be found in Stack ${stack.name}.`,
  );

/** 404 ResourceNotFound for a name that the stack does not have. */
export const showResource = async (
  ports: Ports,
  identity: StackIdentity,
  name: string,
  withAttr: readonly string[],
): Promise<ResourceDetail> => {
  const stack = await findLivingStack(ports, identity);
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const view = (await viewResources(ports, stack, loaded)).find((other) => other.name === name);
  if (!view) throw resourceNotFound(name, stack);
  const [attributes, waitsFor] = await Promise.all([
    showAttributes(ports, view, withAttr),
    explainWait(ports, view),
  ]);
  return { ...view, attributes, waitsFor };
};

/** Of one resource that somebody looks at it costs a few reads; a list does not ask. */
const explainWait = async (ports: Ports, { row }: ResourceView): Promise<string | null> => {
  if (row === null || row.operation === null || row.operation.handle === null) return null;
  const type = ports.resourceTypes.get(row.type);
  return (await type?.explainWait?.(row, ports)) ?? null;
};

const showAttributes = async (
  ports: Ports,
  view: ResourceView,
  withAttr: readonly string[],
): Promise<JsonObject> => {
  const declared = ports.resourceTypes.get(view.row?.type ?? view.type)?.attributes ?? {};
  const stored = view.row ? (await openReference(ports, view.row)).attributes : {};
  const values = view.row ? readAttributes(ports, view.row, stored) : {};
  const names = new Set([...Object.keys(declared === "any" ? values : declared), ...withAttr]);
  const shown = [...names].map((name) => {
    const value = values[name] ?? null;
    const hidden = declared !== "any" && declared[name]?.hidden === true;
    return [name, hidden && value !== null && !withAttr.includes(name) ? REDACTED : value];
  });
  return Object.fromEntries(shown);
};

/** The template's metadata of a resource, resolved; of a name that is only there to be removed, empty. */
export const showResourceMetadata = async (
  ports: Ports,
  identity: StackIdentity,
  name: string,
): Promise<JsonObject> => {
  const stack = await findLivingStack(ports, identity);
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const views = await viewResources(ports, stack, loaded);
  if (!views.some((view) => view.name === name)) throw resourceNotFound(name, stack);
  return resolveMetadata(ports, stack, loaded, name);
};
