import { RequestError } from "#lib/errors.ts";
import { type JsonObject, jsonEquals, mapOf } from "#lib/json.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { GraphNode, NodeData } from "#lib/model/graph.ts";
import type { Hook, Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { customConstraints } from "#lib/stack/check/custom-constraints.ts";
import { definedType, definedTypeName } from "#lib/stack/defined-type.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { referredNames } from "#lib/stack/partial/reach.ts";
import { openProperties, openReference } from "#lib/stack/record/reference.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { convergesTo } from "#lib/stack/stack-predicates.ts";
import { isBarrier, readsMetadata } from "#lib/stack/type-predicates.ts";
import { coerceProperties, translatedBy } from "#lib/template/check/properties.ts";
import { hooksOf, restrictionsOf } from "#lib/template/environment/resource-hooks.ts";
import { resourcePlace } from "#lib/template/format.ts";
import { hasCalls } from "#lib/template/functions/calls.ts";
import { secretProperties } from "#lib/template/functions/hidden-references.ts";
import { resolveProperties } from "#lib/template/functions/resolve.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Template, Unread } from "#lib/template/template.ts";
import {
  type DecidedRow,
  type Decision,
  decideUpdate,
  type UpdateDecision,
  underHeldName,
  underRestrictions,
} from "./decide.ts";
import { inParallel } from "./in-parallel.ts";
import { pointOfNode, readInputs } from "./sync-point.ts";
import { syncPointExpiry, type Visit } from "./visit.ts";

export interface Plan<Decided extends Decision = Decision> {
  readonly decision: Decided;
  readonly type: string;
  readonly templateId: string;
  readonly properties: JsonObject;
  readonly problem: string | null;
  /** The rows that the definition depends on, which can be replacements of rows in the graph. */
  readonly requires: readonly string[];
  /** A predecessor failed its CHECK, so this node passes unchecked and passes the mark on. */
  readonly checkFailed: boolean;
  readonly externalId: string | null;
  readonly hooks: ReadonlySet<Hook>;
}

export const NO_HOOKS: ReadonlySet<Hook> = new Set();

export const planUpdate = async (ports: Ports, visit: Visit): Promise<Plan<UpdateDecision>> => {
  const { row, index, node, stack } = visit;
  const { action, templateId } = index.graph;
  if (action === "SUSPEND") return nothing(row, templateId);
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, templateId);
  const definition = loaded.template.resources.get(node.name);
  const arrived = await readInputs(ports, pointOfNode(index.graph, node, syncPointExpiry(stack)));
  const inputs = [...arrived, ...inputsLeftOut(node)];
  const before = row?.properties == null ? null : await openProperties(ports, row, row.properties);
  const converges = convergesTo(action);
  const externalId = definition?.externalId ?? null;
  const resolved =
    converges && definition !== undefined
      ? await resolveFromInputs(ports, visit, loaded, definition, inputs)
      : { properties: before ?? {}, problem: null };
  const checkFailed = inputs.some((input) => input.checkFailed);
  const { decision, targetType, type } = await decideForTarget(ports, {
    action,
    traversalId: visit.message.traversalId,
    target: loaded,
    name: node.name,
    row,
    before,
    after: resolved.problem === null ? resolved.properties : null,
    checkFailed,
    mendsDrift: action === "UPDATE" && stack.converges,
  });
  const { resourceRegistry } = loaded.source.environment;
  return {
    ...resolved,
    decision,
    hooks: hooksOf(resourceRegistry, node.name),
    checkFailed: action === "CHECK" && checkFailed,
    externalId,
    type: converges ? targetType : (row?.type ?? targetType),
    templateId,
    requires: requiresOf(row, type, converges ? inputs : null),
  };
};

/**
 * A row without a node stays as it is, so it is read when it is needed (P24). A newer traversal
 * that changes it has stamped this visit's row before, so this visit's claim is refused.
 */
const inputsLeftOut = ({ leftOut = [] }: GraphNode): readonly NodeData[] =>
  leftOut.map((row) => ({ ...row, reference: null, checkFailed: false }));

/** A SUSPEND acts in the cleanup nodes, in the reverse order of updates. */
const nothing = (row: Resource | null, templateId: string): Plan<UpdateDecision> => ({
  decision: { kind: "pass" },
  type: row?.type ?? "",
  templateId,
  properties: {},
  problem: null,
  requires: row?.requires ?? [],
  checkFailed: false,
  externalId: null,
  hooks: NO_HOOKS,
});

/** The rows that must outlive this one. `inputs` is null if the action changes nothing. */
const requiresOf = (
  row: Resource | null,
  type: ResourceType | null,
  inputs: readonly NodeData[] | null,
): readonly string[] => {
  if (isBarrier(type)) return [];
  return inputs === null ? (row?.requires ?? []) : inputs.map((input) => input.id);
};

type RowToDecide =
  | (DecidedRow & Pick<Resource, "tenant" | "stackId" | "physicalResourceId">)
  | null;

interface Wanted {
  readonly action: StackAction;
  readonly traversalId: string;
  readonly target: Pick<LoadedTemplate, "source" | "template">;
  readonly name: string;
  readonly row: RowToDecide;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly checkFailed: boolean;
  /** Heat's `converge`: a row that would be kept gets an update, because it may have drifted. */
  readonly mendsDrift: boolean;
}

interface ForTarget {
  readonly decision: UpdateDecision;
  readonly targetType: string;
  readonly type: ResourceType | null;
}

/** Decides what one row needs for a target (P3.1), for visits and previews alike. */
export const decideForTarget = async (ports: Ports, wanted: Wanted): Promise<ForTarget> => {
  const { action, traversalId, target, name, row, before, after, checkFailed, mendsDrift } = wanted;
  const definition = target.template.resources.get(name);
  const targetType =
    definition === undefined ? (row?.type ?? "") : definedTypeName(target.source, definition);
  const type = await ports.resourceTypes.get(targetType);
  const decided = decideUpdate({
    stackAction: action,
    traversalId,
    row,
    isOfType: row !== null && (await isSameType(ports, row.type, targetType)),
    type,
    before,
    after,
    hasOtherMetadata: await hasOtherMetadata(ports, type, row, target.template, name),
    checkFailed,
    externalId: definition?.externalId ?? null,
    mendsDrift,
  });
  const restricted = restrictionsOf(target.source.environment.resourceRegistry, name);
  const allowed = underRestrictions(decided, name, restricted);
  return { decision: underHeldName(allowed, { row, type, before, after }), targetType, type };
};

/** Metadata with function calls may resolve to other values although its text is the same. */
const hasOtherMetadata = async (
  ports: Ports,
  type: ResourceType | null,
  row: RowToDecide,
  template: Template,
  name: string,
): Promise<boolean> => {
  if (!readsMetadata(type) || row === null || row.templateId === null) return false;
  const former = await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  const before = former.template.resources.get(name)?.metadata ?? {};
  const after = template.resources.get(name)?.metadata ?? {};
  return !jsonEquals(before, after) || hasCalls(functionsOf(template.version), after);
};

/** All nested stacks are of one type, so a nested stack with another template is not replaced. */
const isSameType = async (
  { resourceTypes }: Ports,
  before: string,
  after: string,
): Promise<boolean> => {
  if (before === after) return true;
  const former = await resourceTypes.get(before);
  const target = await resourceTypes.get(after);
  return (former?.type ?? before) === (target?.type ?? after);
};

interface ResolvedProperties {
  readonly properties: JsonObject;
  readonly problem: string | null;
}

/** Rows are read only for references that the visit's input data leaves out. */
const resolveFromInputs = async (
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
