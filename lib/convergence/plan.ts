/**
 * What a visit reads before it decides about an update: the definition, the inputs, the properties.
 */
import { type JsonObject, jsonEquals } from "#lib/json.ts";
import type { GraphNode, NodeData } from "#lib/model/graph.ts";
import type { Hook } from "#lib/model/hook.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { convergesTo } from "#lib/stack/stack-actions.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { isBarrier, readsMetadata } from "#lib/stack/type-predicates.ts";
import { hasCalls } from "#lib/template/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { hooksOf, restrictionsOf } from "#lib/template/resource-hooks.ts";
import type { Template } from "#lib/template/template.ts";
import { type Decision, decideUpdate, underRestrictions } from "./decide.ts";
import { resolveFromInputs } from "./resolve-definition.ts";
import { pointOfNode, readInputs } from "./sync-point.ts";
import { syncPointExpiry, type Visit } from "./visit.ts";

export interface Plan {
  readonly decision: Decision;
  readonly type: string;
  /** The template record of the operation. */
  readonly templateId: string;
  readonly properties: JsonObject;
  /** Why the properties cannot be resolved. The operation fails with this right after its claim. */
  readonly problem: string | null;
  /** The rows that the target's definition depends on: replacements, not the rows in the graph. */
  readonly requires: readonly string[];
  /** A predecessor failed its CHECK, so this node passes unchecked and passes the mark on. */
  readonly checkFailed: boolean;
  /** The object from outside that the target names. */
  readonly externalId: string | null;
  /** The hooks of this resource in the target's environment. */
  readonly hooks: ReadonlySet<Hook>;
}

export const NO_HOOKS: ReadonlySet<Hook> = new Set();

export const planUpdate = async (ports: Ports, visit: Visit): Promise<Plan> => {
  const { row, index, node, stack } = visit;
  const { action, templateId } = index.graph;
  if (action === "SUSPEND") return nothing(row, templateId);
  const loaded = await loadTemplate(ports, stack.tenant, stack.id, templateId);
  const definition = loaded.template.resources.get(node.name);
  const arrived = await readInputs(ports, pointOfNode(index.graph, node, syncPointExpiry(stack)));
  const inputs = [...arrived, ...inputsLeftOut(node)];
  const targetType =
    definition === undefined ? (row?.type ?? "") : definedTypeName(loaded.source, definition);
  const type = await ports.resourceTypes.get(targetType);
  const before = row?.properties == null ? null : await openProperties(ports, row, row.properties);
  const converges = convergesTo(action);
  const externalId = definition?.externalId ?? null;
  const resolved =
    converges && definition !== undefined
      ? await resolveFromInputs(ports, visit, loaded, definition, inputs)
      : { properties: before ?? {}, problem: null };
  const checkFailed = inputs.some((input) => input.checkFailed);
  const decided = decideUpdate({
    stackAction: action,
    row,
    isOfType: row !== null && (await isSameType(ports, row.type, targetType)),
    type,
    before,
    after: resolved.problem === null ? resolved.properties : null,
    hasOtherMetadata: await hasOtherMetadata(ports, type, row, loaded.template, node.name),
    checkFailed,
    externalId,
    mendsDrift: action === "UPDATE" && stack.converges,
  });
  const { resourceRegistry } = loaded.source.environment;
  const restricted = restrictionsOf(resourceRegistry, node.name);
  return {
    ...resolved,
    decision: underRestrictions(decided, node.name, restricted),
    hooks: hooksOf(resourceRegistry, node.name),
    checkFailed: action === "CHECK" && checkFailed,
    externalId,
    type: converges ? targetType : (row?.type ?? targetType),
    templateId,
    requires: requiresOf(row, type, converges ? inputs : null),
  };
};

/**
 * P24: a row without a node stays as it is, so it is read when it is needed. A newer traversal that
 * changes it has stamped this visit's row before, and refuses its claim.
 */
const inputsLeftOut = ({ leftOut = [] }: GraphNode): readonly NodeData[] =>
  leftOut.map((row) => ({ ...row, reference: null, checkFailed: false }));

/** A SUSPEND acts in the cleanup nodes, in the reverse order of updates. */
const nothing = (row: Resource | null, templateId: string): Plan => ({
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

/** The rows that must outlive this one. `inputs` null: the action creates and changes nothing. */
const requiresOf = (
  row: Resource | null,
  type: ResourceType | null,
  inputs: readonly NodeData[] | null,
): readonly string[] => {
  if (isBarrier(type)) return [];
  return inputs === null ? (row?.requires ?? []) : inputs.map((input) => input.id);
};

/** Metadata with function calls may resolve to other values although its text is the same. */
export const hasOtherMetadata = async (
  ports: Ports,
  type: ResourceType | null,
  row: Resource | null,
  template: Template,
  name: string,
): Promise<boolean> => {
  if (!readsMetadata(type) || row === null || row.templateId === null) return false;
  const former = await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  const before = former.template.resources.get(name)?.metadata ?? {};
  const after = template.resources.get(name)?.metadata ?? {};
  return !jsonEquals(before, after) || hasCalls(functionsOf(template.version), after);
};

/** One type handles all template names, so a stack under another template stays the same stack. */
export const isSameType = async (
  { resourceTypes }: Ports,
  before: string,
  after: string,
): Promise<boolean> => {
  if (before === after) return true;
  const former = await resourceTypes.get(before);
  const target = await resourceTypes.get(after);
  return (former?.type ?? before) === (target?.type ?? after);
};
