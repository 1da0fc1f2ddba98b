/** What a visit reads before it decides: the target's definition, the input data, the properties that follow from them. */
import { RequestError } from "#lib/errors.ts";
import { type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { ConvergenceGraph, NodeData } from "#lib/model/graph.ts";
import type { Hook } from "#lib/model/hook.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { definedType, definedTypeName } from "#lib/stack/defined-type.ts";
import { openProperties, openReference } from "#lib/stack/reference.ts";
import { convergesTo } from "#lib/stack/stack-actions.ts";
import {
  ABANDONED_TEMPLATE_ID,
  EMPTY_TEMPLATE_ID,
  type LoadedTemplate,
  loadTemplate,
} from "#lib/stack/template-record.ts";
import { hasCalls } from "#lib/template/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { coerceProperties } from "#lib/template/properties.ts";
import { secretProperties } from "#lib/template/property-references.ts";
import { resolveProperties } from "#lib/template/resolve.ts";
import { hooksOf, restrictionsOf } from "#lib/template/resource-hooks.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { type Decision, decideCleanup, decideUpdate, underRestrictions } from "./decide.ts";
import { pointOfNode, readInputs } from "./sync-point.ts";
import { syncPointExpiry, type Visit } from "./visit.ts";

export interface Plan {
  readonly decision: Decision;
  readonly type: string;
  /** What the operation is of. */
  readonly templateId: string;
  readonly properties: JsonObject;
  /** Why the properties could not be resolved: the operation fails with this as soon as it is claimed. */
  readonly problem: string | null;
  /** The rows that the target's definition depends on: replacements, not the rows the graph names. */
  readonly requires: readonly string[];
  /** A predecessor failed its CHECK: this node passes unchecked, and says so to those that wait for it. */
  readonly checkFailed: boolean;
  /** The hooks of this name in the target's environment. */
  readonly hooks: ReadonlySet<Hook>;
}

const NO_HOOKS: ReadonlySet<Hook> = new Set();

export const planUpdate = async (ports: Ports, visit: Visit): Promise<Plan> => {
  const { row, index, node, stack } = visit;
  const { action, templateId } = index.graph;
  if (action === "SUSPEND") return nothing(row, templateId);
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, templateId);
  const definition = loaded.template.resources.get(node.name);
  const inputs = await readInputs(ports, pointOfNode(index, visit.at, syncPointExpiry(stack)));
  const targetType =
    definition === undefined ? (row?.type ?? "") : definedTypeName(loaded.source, definition);
  const type = ports.resourceTypes.get(targetType);
  const before = row?.properties == null ? null : await openProperties(ports, row, row.properties);
  const converges = convergesTo(action);
  const resolved =
    converges && definition !== undefined
      ? await resolve(ports, visit, loaded, definition, inputs)
      : { properties: before ?? {}, problem: null };
  const checkFailed = inputs.some((input) => input.checkFailed);
  const decided = decideUpdate({
    stackAction: action,
    row,
    isOfType: row !== null && isSameType(ports, row.type, targetType),
    type,
    before,
    after: resolved.problem === null ? resolved.properties : null,
    hasOtherMetadata: await hasOtherMetadata(ports, type, row, loaded.template, node.name),
    checkFailed,
  });
  const { resourceRegistry } = loaded.source.environment;
  const restricted = restrictionsOf(resourceRegistry, node.name);
  return {
    ...resolved,
    decision: underRestrictions(decided, node.name, restricted),
    hooks: hooksOf(resourceRegistry, node.name),
    checkFailed: action === "CHECK" && checkFailed,
    type: converges ? targetType : (row?.type ?? targetType),
    templateId,
    requires: requiresOf(row, type, converges ? inputs : null),
  };
};

/** The rows that may not go before this one. `inputs` are null where nothing is made or changed. */
const requiresOf = (
  row: Resource | null,
  type: ResourceType | null,
  inputs: readonly NodeData[] | null,
): readonly string[] => {
  if (type?.ordersOnly) return [];
  return inputs === null ? (row?.requires ?? []) : inputs.map((input) => input.id);
};

/** Calls in it may have other values although they are the same. */
export const hasOtherMetadata = async (
  ports: Ports,
  type: ResourceType | null,
  row: Resource | null,
  template: Template,
  name: string,
): Promise<boolean> => {
  if (type?.readsMetadata === undefined || row === null || row.templateId === null) return false;
  const former = await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  const before = former.template.resources.get(name)?.metadata ?? {};
  const after = template.resources.get(name)?.metadata ?? {};
  return !jsonEquals(before, after) || hasCalls(functionsOf(template.version), after);
};

/** Every template is carried out by the same type: a stack whose template has another name stays the same stack. */
export const isSameType = ({ resourceTypes }: Ports, before: string, after: string): boolean =>
  before === after ||
  (resourceTypes.get(before)?.type ?? before) === (resourceTypes.get(after)?.type ?? after);

/** SUSPEND acts in the cleanup nodes, against the order of the updates: here there is nothing to read either. */
const nothing = (row: Resource | null, templateId: string): Plan => ({
  decision: { decision: "pass" },
  type: row?.type ?? "",
  templateId,
  properties: {},
  problem: null,
  requires: row?.requires ?? [],
  checkFailed: false,
  hooks: NO_HOOKS,
});

export const planCleanup = async (ports: Ports, visit: Visit): Promise<Plan> => {
  const { row, index, node } = visit;
  const { action, traversalId } = index.graph;
  const isChosen = index.positionOf({ resourceId: node.resourceId, isUpdate: true }) !== undefined;
  const nests = ports.resourceTypes.get(row?.type ?? "")?.nests !== undefined;
  const situation = { stackAction: action, traversalId, row, isChosen, nests };
  let decision = decideCleanup({ ...situation, retains: false });
  let { templateId } = index.graph;
  if (decision.decision === "act" && decision.action === "DELETE" && row !== null) {
    const leaves = await leftBehind(ports, index.graph, row, nests);
    if (leaves === "its object") decision = decideCleanup({ ...situation, retains: true });
    if (leaves === "what is below") templateId = ABANDONED_TEMPLATE_ID;
  }
  const acts = decision.decision === "act" && row?.properties != null;
  return {
    decision,
    type: row?.type ?? "",
    templateId,
    properties: acts ? await openProperties(ports, row, row.properties) : {},
    problem: null,
    requires: row?.requires ?? [],
    checkFailed: false,
    hooks: NO_HOOKS,
  };
};

/** Of a stack that is abandoned with its row nothing is left but what is below: it goes as its owner goes. */
const leftBehind = async (
  ports: Ports,
  graph: ConvergenceGraph,
  row: Resource,
  nests: boolean,
): Promise<"nothing" | "its object" | "what is below"> => {
  const isAbandoned = graph.templateId === ABANDONED_TEMPLATE_ID;
  const loaded =
    isAbandoned || row.templateId === null
      ? null
      : await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  if (isAbandoned || wasThereBefore(graph, row, loaded, nests)) {
    return nests ? "what is below" : "its object";
  }
  const policy = loaded?.template.resources.get(row.name)?.deletionPolicy;
  return policy === "Retain" ? "its object" : "nothing";
};

/**
 * What was adopted was there before its stack: a rollback to nothing leaves it, be it the adoption's own or that of an
 * update of a stack that was never good, which may have changed it in place.
 */
const wasThereBefore = (
  { action, templateId }: ConvergenceGraph,
  row: Resource,
  loaded: LoadedTemplate | null,
  nests: boolean,
): boolean => {
  if (action !== "ROLLBACK" || templateId !== EMPTY_TEMPLATE_ID) return false;
  if (row.action === "ADOPT") return true;
  const adopted = loaded?.source.adopted?.[row.name];
  if (adopted === undefined) return false;
  // A stack is not adopted itself but what was in it.
  if (nests) return row.replaces === null;
  return (
    adopted.physicalResourceId !== null && adopted.physicalResourceId === row.physicalResourceId
  );
};

const resolve = async (
  ports: Ports,
  visit: Visit,
  loaded: LoadedTemplate,
  definition: ResourceDefinition,
  inputs: readonly NodeData[],
): Promise<Resolved> => {
  const references = await openInputs(ports, visit, inputs);
  const scope = scopeOf(visit, loaded.parameters, loaded.source.files, references);
  return resolveDefinition(ports, loaded, definition, scope);
};

export interface Resolved {
  readonly properties: JsonObject;
  /** Why there are none. */
  readonly problem: string | null;
}

/** The properties of a definition as its provider gets them. */
export const resolveDefinition = (
  ports: Ports,
  { template, source }: Pick<LoadedTemplate, "template" | "source">,
  definition: ResourceDefinition,
  scope: Scope,
): Resolved => {
  try {
    const type = definedType(ports.resourceTypes, source, definition);
    const given = resolveProperties(template, definition, scope);
    const place = `resources.${definition.name}.properties`;
    const secret = secretProperties(template, definition.properties);
    const properties = coerceProperties(type?.properties ?? "any", given, place, { secret });
    return { properties, problem: null };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { properties: {}, problem: error.message };
  }
};

const scopeOf = (
  { stack }: Visit,
  parameters: ReadonlyMap<string, Json>,
  files: Readonly<Record<string, string>>,
  references: ReadonlyMap<string, ResourceReference>,
): Scope => ({
  parameters,
  files,
  pseudo: pseudoParameters(stack),
  resource: (name) => references.get(name) ?? null,
});

/** NodeData that was too large to travel is read from its row. */
const openInputs = async (
  ports: Ports,
  visit: Visit,
  inputs: readonly NodeData[],
): Promise<ReadonlyMap<string, ResourceReference>> => {
  const { tenant, id: stackId } = visit.stack;
  const references = new Map<string, ResourceReference>();
  for (const input of inputs) {
    const reference =
      input.reference ??
      (await ports.store.getResource({ stackId, id: input.id }))?.reference ??
      null;
    const opened = await openReference(ports, { tenant, stackId, reference });
    references.set(input.name, { ...opened, live: true });
  }
  return references;
};
