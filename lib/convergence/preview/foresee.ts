/**
 * What an update would do to a stack as it is now, node by node. It plans as the prepare does and
 * decides as the visits do, but writes nothing. Ids and attributes that the update makes or changes
 * are unknown here, and count as different from what the row has.
 */
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { PropertySchema } from "#lib/model/property-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { definedType } from "#lib/stack/defined-type.ts";
import { plannedRow } from "#lib/stack/planned-rows.ts";
import { parameterValues } from "#lib/stack/record/parameter-values.ts";
import { openProperties, openReference } from "#lib/stack/record/reference.ts";
import type { LoadedTemplate, TemplateSource } from "#lib/stack/record/template-record.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { inDependencyOrder } from "#lib/template/bind/dependencies.ts";
import { resourceNamed } from "#lib/template/functions/calls.ts";
import type { CallReference } from "#lib/template/functions/function.ts";
import { keysWith } from "#lib/template/functions/hidden-references.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { member } from "#lib/template/json-shape.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import type { Decision } from "../decide.ts";
import { type FormerTarget, planGraph } from "../graph/plan-graph.ts";
import { storedGraph } from "../graph/store-graph.ts";
import { type CleanupGraph, decideRemoval, wouldEndForDelete } from "../plan-cleanup.ts";
import { decideForTarget, resolveDefinition } from "../plan-update.ts";
import { nextTraversal } from "../traversal/traversal.ts";
import { type Fate, foreseeRow, rowEndedForDelete } from "./foresee-row.ts";

interface ForeseenTarget {
  readonly templateId: string | null;
  readonly source: TemplateSource;
  readonly template: Template;
}

export type HowVisited = Pick<Stack, "visitsAll" | "converges">;

export interface ForeseenUpdate {
  readonly name: string;
  readonly row: Resource | null;
  readonly found: Resource | null;
  readonly fate: Fate | null;
  readonly decision: Decision;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly problem: string | null;
  readonly unknown: ReadonlySet<string>;
  readonly reference: Known;
}

type KeepsAttributes = (
  definition: ResourceDefinition,
  update: Omit<ForeseenUpdate, "reference">,
) => Promise<boolean>;

const MAY_CHANGE_ALL: KeepsAttributes = async () => false;

export interface ForeseenRemoval {
  readonly name: string;
  readonly row: Resource;
  readonly found: Resource;
  readonly fate: Fate | "ended for the delete" | null;
  readonly decision: Decision;
}

export interface Foreseen {
  readonly updates: ReadonlyMap<string, ForeseenUpdate>;
  readonly removals: readonly ForeseenRemoval[];
  readonly leftOut: ReadonlyMap<string, Resource>;
}

interface Known {
  readonly refId: string | null;
  readonly isRefIdKnown: boolean;
  readonly attributes: JsonObject;
  readonly areAttributesKnown: boolean;
}

const UNKNOWN: Known = {
  refId: null,
  isRefIdKnown: false,
  attributes: {},
  areAttributesKnown: false,
};

export const foresee = async (
  ports: Ports,
  stack: Stack,
  target: ForeseenTarget,
  visited: HowVisited = { visitsAll: false, converges: false },
  keepsAttributes: KeepsAttributes = MAY_CHANGE_ALL,
): Promise<Foreseen> => {
  const rows = await ports.store.listResources(stack.id);
  const next = nextTraversal(stack, target.templateId ?? NOT_STORED, visited);
  const parameters = parameterValues(target.template, target.source.environment);
  const loaded = { id: next.templateId, parameters, ...target };
  const former = await formerTarget(ports, stack);
  const planned = rows.map((row) => plannedRow(row));
  const graph = await planGraph(ports, next, { former, rows: planned, target: loaded });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const chosen = new Map<string, Resource | null>();
  for (const node of graph.nodes) {
    if (node.isUpdate) chosen.set(node.name, byId.get(node.resourceId) ?? null);
  }
  const nodeIds = new Set(graph.nodes.map(({ resourceId }) => resourceId));
  const leftOut = new Map(
    rows.filter((row) => isLeftOut(row, nodeIds, loaded)).map((row) => [row.name, row]),
  );
  const planning = { chosen, leftOut, keepsAttributes };
  const updates = await foreseeUpdates(ports, next, loaded, planning);
  const cleanups = graph.nodes.flatMap(({ isUpdate, resourceId }) =>
    isUpdate ? [] : (byId.get(resourceId) ?? []),
  );
  const chosenIds = new Set([...chosen.values()].flatMap((row) => row?.id ?? []));
  const removalGraph: CleanupGraph = { ...graph, isChosen: async (id) => chosenIds.has(id) };
  const removals = await foreseeRemovals(ports, removalGraph, cleanups, updates);
  return { updates, removals, leftOut };
};

const NOT_STORED = "foreseen";

const isLeftOut = (
  row: Resource,
  nodeIds: ReadonlySet<string>,
  { template }: Pick<LoadedTemplate, "template">,
): boolean => !nodeIds.has(row.id) && template.resources.has(row.name) && isExtant(row);

const formerTarget = async (ports: Ports, stack: Stack): Promise<FormerTarget | null> => {
  if (stack.running === null) return null;
  return (await storedGraph(ports, stack.id, stack.running))?.graph ?? null;
};

interface Planning {
  readonly chosen: ReadonlyMap<string, Resource | null>;
  readonly leftOut: ReadonlyMap<string, Resource>;
  readonly keepsAttributes: KeepsAttributes;
}

const foreseeUpdates = async (
  ports: Ports,
  stack: Stack,
  target: LoadedTemplate,
  { chosen, leftOut, keepsAttributes }: Planning,
): Promise<ReadonlyMap<string, ForeseenUpdate>> => {
  const known = new Map<string, Known>();
  const updates = new Map<string, ForeseenUpdate>();
  const scope: Scope = {
    parameters: target.parameters,
    pseudo: pseudoParameters(stack, target.template),
    files: target.source.files,
    facade: target.source.facade,
    resource: (name) => referenceOf(known.get(name)),
  };
  for (const definition of inDependencyOrder(target.template)) {
    const { name } = definition;
    const row = chosen.get(name);
    if (row === undefined) {
      const kept = leftOut.get(name);
      if (kept !== undefined) known.set(name, await knownOf(ports, kept));
      continue;
    }
    const { converges } = stack;
    const { traversalId } = stack;
    const inputs = { scope, known, traversalId, mendsDrift: converges, keepsAttributes };
    const update = await foreseeUpdate(ports, target, definition, row, inputs);
    known.set(name, update.reference);
    updates.set(name, update);
  }
  return updates;
};

const referenceOf = (known: Known | undefined): ResourceReference | null =>
  known === undefined ? null : { refId: known.refId, attributes: known.attributes, live: true };

interface UpdateInputs {
  readonly scope: Scope;
  readonly known: ReadonlyMap<string, Known>;
  readonly traversalId: string;
  readonly mendsDrift: boolean;
  readonly keepsAttributes: KeepsAttributes;
}

const foreseeUpdate = async (
  ports: Ports,
  target: LoadedTemplate,
  definition: ResourceDefinition,
  row: Resource | null,
  inputs: UpdateInputs,
): Promise<ForeseenUpdate> => {
  const { name } = definition;
  const unknown = unknownKeys(target.template, definition, inputs.known);
  const { properties, problem } = await resolveDefinition(
    ports,
    target,
    definition,
    inputs.scope,
    unknown,
  );
  const { row: found, fate } =
    row === null ? { row: null, fate: null } : await foreseeRow(ports, row);
  const before =
    found?.properties == null ? null : await openProperties(ports, found, found.properties);
  const type = await definedType(ports, target.source, definition);
  const after =
    problem === null ? withUnknown(type?.schema ?? null, properties, unknown, before) : null;
  const { decision } = await decideForTarget(ports, {
    action: "UPDATE",
    traversalId: inputs.traversalId,
    target,
    name,
    row: found,
    before,
    after,
    checkFailed: false,
    mendsDrift: inputs.mendsDrift,
  });
  const update = { name, row, found, fate, decision, before, after, problem, unknown };
  const isAsked = nestsStack(type) && decision.kind === "act";
  const keeps = isAsked && (await inputs.keepsAttributes(definition, update));
  const isKept = keeps && isNestedUpdate(update);
  const reference =
    isKept && row !== null ? await knownOf(ports, row) : await referenceAfter(ports, row, decision);
  return { ...update, reference };
};

const isNestedUpdate = ({ decision, fate }: Pick<ForeseenUpdate, "decision" | "fate">): boolean =>
  decision.kind === "act" && decision.action === "UPDATE" && fate === null;

const unknownKeys = (
  template: Template,
  { properties }: ResourceDefinition,
  known: ReadonlyMap<string, Known>,
): ReadonlySet<string> => {
  const isUnknown = (reference: CallReference): boolean => {
    const name = resourceNamed(reference);
    if (name === null) return isComputed(reference) && [...known.values()].some(isPartlyUnknown);
    const one = known.get(name);
    if (one === undefined) return false;
    return reference.kind === "attribute" ? !one.areAttributesKnown : !one.isRefIdKnown;
  };
  return keysWith(functionsOf(template.version), properties, isUnknown);
};

/** A name that a function computes can be that of any resource. */
const isComputed = (reference: CallReference): boolean =>
  "resource" in reference || reference.kind === "either";

const isPartlyUnknown = (known: Known): boolean => !known.isRefIdKnown || !known.areAttributesKnown;

const knownOf = async (ports: Ports, row: Resource): Promise<Known> => ({
  ...(await openReference(ports, row)),
  isRefIdKnown: true,
  areAttributesKnown: true,
});

/** An update in place keeps the id, and may change every attribute. */
const referenceAfter = async (
  ports: Ports,
  row: Resource | null,
  decision: Decision,
): Promise<Known> => {
  if (row === null || row.reference === null || decision.kind === "replace") return UNKNOWN;
  const isMade =
    decision.kind === "act" && (decision.action === "CREATE" || decision.action === "ADOPT");
  if (isMade) return UNKNOWN;
  const known = await knownOf(ports, row);
  return decision.kind === "act" || decision.kind === "step" || row.operation !== null
    ? { ...known, attributes: {}, areAttributesKnown: false }
    : known;
};

/** Rows in service stay. A row goes if a new row replaces it, or if the target does not name it. */
const foreseeRemovals = async (
  ports: Ports,
  graph: CleanupGraph,
  rows: readonly Resource[],
  updates: ReadonlyMap<string, ForeseenUpdate>,
): Promise<readonly ForeseenRemoval[]> => {
  const removals: ForeseenRemoval[] = [];
  for (const row of rows) {
    const update = updates.get(row.name);
    const isServing = update?.row?.id === row.id && update.decision.kind !== "replace";
    if (isServing) continue;
    const { row: found, fate } = await foreseeRow(ports, row);
    const { decision } = await decideRemoval(ports, graph, row.id, found);
    const { operation } = row;
    const isEnded =
      operation !== null &&
      fate === "awaited" &&
      (await wouldEndForDelete(ports, decision, row, operation));
    removals.push({
      name: row.name,
      row,
      found: isEnded ? rowEndedForDelete(row) : found,
      fate: isEnded ? "ended for the delete" : fate,
      decision,
    });
  }
  return removals;
};

/** Stand-ins for values that only the update will tell. Each differs from the value before. */
const UNKNOWN_VALUE = "known after the update";

/** The stand-in has the type of the schema, because the types' own rules read such values. */
const standIn = (schema: PropertySchema | undefined, before: Json): Json => {
  switch (schema?.type) {
    case "list":
      return [UNKNOWN_VALUE];
    case "map":
      return { [UNKNOWN_VALUE]: UNKNOWN_VALUE };
    case "boolean":
      return before !== true;
    case "integer":
    case "number":
      return typeof before === "number" ? before + 1 : 0;
    default:
      return UNKNOWN_VALUE;
  }
};

/** `properties` lack the unknown ones. An unknown key without a schema is an old name. */
const withUnknown = (
  schema: Pick<ResourceType["schema"], "properties"> | null,
  properties: JsonObject,
  unknown: ReadonlySet<string>,
  before: JsonObject | null,
): JsonObject => {
  const schemas = schema?.properties ?? "any";
  const entries = [...unknown].flatMap((key): [string, Json][] => {
    const own = schemas === "any" ? undefined : schemas[key];
    if (schemas !== "any" && own === undefined) return [];
    return [[key, standIn(own, member(before ?? {}, key) ?? null)]];
  });
  return entries.length === 0 ? properties : mergedMaps(properties, mapOf(entries));
};
