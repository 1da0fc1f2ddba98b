import type { JsonObject } from "#lib/json.ts";
import type { GraphNode, NodeData } from "#lib/model/graph.ts";
import type { Hook } from "#lib/model/hook.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { convergesTo } from "#lib/stack/stack-actions.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { isBarrier } from "#lib/stack/type-predicates.ts";
import { hooksOf } from "#lib/template/resource-hooks.ts";
import type { Decision, UpdateDecision } from "./decide.ts";
import { decideForTarget } from "./decide-for-target.ts";
import { resolveFromInputs } from "./resolve-definition.ts";
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
