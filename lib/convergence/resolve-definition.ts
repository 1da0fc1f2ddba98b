import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { mapOf } from "#lib/json-map.ts";
import type { NodeData } from "#lib/model/graph.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { customConstraints } from "#lib/stack/custom-constraints.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { openReference } from "#lib/stack/reference.ts";
import { referredNames } from "#lib/stack/referred-names.ts";
import type { LoadedTemplate } from "#lib/stack/template-record.ts";
import { resourcePlace } from "#lib/template/format.ts";
import { secretProperties } from "#lib/template/hidden-references.ts";
import { coerceProperties } from "#lib/template/properties.ts";
import { resolveProperties } from "#lib/template/resolve.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Unread } from "#lib/template/template.ts";
import { translatedBy } from "#lib/template/type-schema.ts";
import { inParallel } from "./in-parallel.ts";
import type { Visit } from "./visit.ts";

export interface ResolvedProperties {
  readonly properties: JsonObject;
  readonly problem: string | null;
}

/** Rows are read only for references that the visit's input data leaves out. */
export const resolveFromInputs = async (
  ports: Ports,
  visit: Visit,
  loaded: LoadedTemplate,
  definition: ResourceDefinition,
  inputs: readonly NodeData[],
): Promise<ResolvedProperties> => {
  const referred = referredNames(loaded.template, definition);
  // The definition does not refer to a row that is only waited for, so such a row is not read.
  const read = inputs.filter(({ name, reference }) => reference !== null || referred.has(name));
  const references = await openInputs(ports, visit, read);
  const scope = scopeOf(visit, loaded, references);
  return resolveDefinition(ports, loaded, definition, scope);
};

const NONE: ReadonlySet<string> = new Set();

/** Heat's text. A group's definition may be computed, so its check may not have seen it. */
const hasNoType = ({ name }: ResourceDefinition): string => `Resource "${name}" has no type`;

const isUnread = ({ why }: Unread): string =>
  `This version cannot read the stored definition: ${why} Update the stack with a template that it reads.`;

export const resolveDefinition = async (
  ports: Ports,
  { template, source }: Pick<LoadedTemplate, "template" | "source">,
  definition: ResourceDefinition,
  scope: Scope,
  unknown: ReadonlySet<string> = NONE,
): Promise<ResolvedProperties> => {
  if (template.unread?.resources.has(definition.name)) {
    return { properties: {}, problem: isUnread(template.unread) };
  }
  if (definition.type === "") return { properties: {}, problem: hasNoType(definition) };
  if (definition.externalId !== null) return { properties: {}, problem: null };
  try {
    const type = await definedType(ports, source, definition);
    await pauseIfDue(ports);
    if (type?.schema.ignoresDefinition) return { properties: {}, problem: null };
    const known = unknown.size === 0 ? definition : withoutKeys(definition, unknown);
    const given = resolveProperties(template, known, scope);
    const place = resourcePlace(template, definition.name, "properties");
    const secret = secretProperties(template, definition.properties);
    const custom = customConstraints(ports.clock.now());
    const schemas = type?.schema.properties ?? "any";
    const more = type === null ? {} : translatedBy(type.schema, definition);
    const properties = coerceProperties(schemas, given, place, {
      secret,
      custom,
      deferred: unknown,
      ...more,
    });
    return { properties, problem: null };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { properties: {}, problem: error.message };
  }
};

const withoutKeys = (
  definition: ResourceDefinition,
  keys: ReadonlySet<string>,
): ResourceDefinition => ({
  ...definition,
  properties: mapOf(Object.entries(definition.properties).filter(([key]) => !keys.has(key))),
});

const scopeOf = (
  { stack }: Visit,
  { template, parameters, source }: LoadedTemplate,
  references: ReadonlyMap<string, ResourceReference>,
): Scope => ({
  parameters,
  files: source.files,
  facade: source.facade,
  pseudo: pseudoParameters(stack, template),
  resource: (name) => references.get(name) ?? null,
});

/** A reference that was too large for NodeData is read from its row. */
const openInputs = async (
  ports: Ports,
  visit: Visit,
  inputs: readonly NodeData[],
): Promise<ReadonlyMap<string, ResourceReference>> => {
  const { tenant, id: stackId } = visit.stack;
  const opened = await inParallel(
    inputs.map(({ id, name, reference: given }) => async () => {
      const reference =
        given ?? (await ports.store.getResource({ stackId, id }))?.reference ?? null;
      const known = await openReference(ports, { tenant, stackId, id, name, reference });
      return [name, { ...known, live: true }] as const;
    }),
  );
  return new Map(opened);
};
