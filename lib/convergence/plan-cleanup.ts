/** Reads what a cleanup is decided from: above all, whether the object of the row stays. */

import type { OperationAction } from "#lib/model/action.ts";
import type { GraphFields, NodeKey } from "#lib/model/graph.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import {
  ABANDONED_TEMPLATE_ID,
  EMPTY_TEMPLATE_ID,
  type LoadedTemplate,
  loadTemplate,
} from "#lib/stack/record/template-record.ts";
import { deletesAtOnce, nestsStack } from "#lib/stack/type-predicates.ts";
import { hooksOf } from "#lib/template/environment/resource-hooks.ts";
import { type CleanupDecision, type Decision, decideCleanup } from "./decide.ts";
import type { IndexedGraph } from "./graph/indexed-graph.ts";
import { NO_HOOKS, type Plan } from "./plan-update.ts";
import { formerHolder, keptFor, newerHolder } from "./provider-call.ts";
import type { Visit } from "./visit.ts";

export interface CleanupGraph extends Pick<GraphFields, "action" | "traversalId" | "templateId"> {
  readonly isChosen: (resourceId: string) => Promise<boolean>;
}

export const planCleanup = async (ports: Ports, visit: Visit): Promise<Plan<CleanupDecision>> => {
  const { row, index, node } = visit;
  const graph: CleanupGraph = {
    ...index.graph,
    isChosen: (resourceId) => isChosenRow(index, { resourceId }),
  };
  const { decision, templateId } = await decideRemoval(ports, graph, node.resourceId, row);
  const acts = decision.kind === "act" && row?.properties != null;
  return {
    decision,
    type: row?.type ?? "",
    templateId,
    properties: acts ? await openProperties(ports, row, row.properties) : {},
    problem: null,
    requires: row?.requires ?? [],
    checkFailed: false,
    externalId: null,
    hooks: NO_HOOKS,
  };
};

export const decideRemoval = async (
  ports: Ports,
  graph: CleanupGraph,
  nodeId: string,
  row: Resource | null,
): Promise<Pick<Plan<CleanupDecision>, "decision" | "templateId">> => {
  const { action, traversalId, templateId } = graph;
  const isChosen = await graph.isChosen(nodeId);
  const nests = nestsStack(await ports.resourceTypes.get(row?.type ?? ""));
  const situation = { stackAction: action, traversalId, row, isChosen, nests };
  const decision = decideCleanup({ ...situation, retains: false });
  if (decision.kind !== "act" || decision.action !== "DELETE" || row === null) {
    return { decision, templateId };
  }
  const retained = await retainedOf(ports, graph, row, nests);
  if (retained === "the nested objects") return { decision, templateId: ABANDONED_TEMPLATE_ID };
  if (retained === "its object" && !(await isGivenBack(ports, graph, row))) {
    return { decision: decideCleanup({ ...situation, retains: true }), templateId };
  }
  const holder = retained === "nothing" ? await newerHolder(ports, row) : null;
  if (holder === null) return { decision, templateId };
  return { decision: { kind: "drop", reason: keptFor(row, holder) }, templateId };
};

export const isChosenRow = async (
  index: IndexedGraph,
  { resourceId }: Pick<NodeKey, "resourceId">,
): Promise<boolean> => (await index.positionOf({ resourceId, isUpdate: true })) !== undefined;

/** A retained object stays, but the row that serves again may want other properties (P17). */
const isGivenBack = async (ports: Ports, graph: CleanupGraph, row: Resource): Promise<boolean> => {
  const holder = await formerHolder(ports, row);
  return holder !== null && (await graph.isChosen(holder.id));
};

/** What stays after the row is gone. A nested stack itself is deleted, but its objects can stay. */
const retainedOf = async (
  ports: Ports,
  graph: Pick<GraphFields, "action" | "templateId">,
  row: Resource,
  nests: boolean,
): Promise<"nothing" | "its object" | "the nested objects"> => {
  const isAbandoned = graph.templateId === ABANDONED_TEMPLATE_ID;
  const loaded =
    isAbandoned || row.templateId === null
      ? null
      : await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  if (isAbandoned || wasThereBefore(graph, row, loaded, nests)) {
    return nests ? "the nested objects" : "its object";
  }
  const policy = loaded?.template.resources.get(row.name)?.deletionPolicy;
  return policy === "Retain" ? "its object" : "nothing";
};

/**
 * An adopted object existed before its stack, so a rollback to nothing leaves it, even if a later
 * update of a stack that was never good has changed it in place.
 */
const wasThereBefore = (
  { action, templateId }: Pick<GraphFields, "action" | "templateId">,
  row: Resource,
  loaded: LoadedTemplate | null,
  nests: boolean,
): boolean => {
  if (action !== "ROLLBACK" || templateId !== EMPTY_TEMPLATE_ID) return false;
  if (row.action === "ADOPT") return true;
  const adopted = loaded?.source.adopted?.[row.name];
  if (adopted === undefined) return false;
  // A nested stack itself is not adopted: a new stack adopts its resources.
  if (nests) return row.replaces === null;
  return (
    adopted.physicalResourceId !== null && adopted.physicalResourceId === row.physicalResourceId
  );
};

/** A DELETE is wanted anyway. Only the end of a SNAPSHOT says what it has made. */
const RUNS_ON: ReadonlySet<OperationAction> = new Set(["DELETE", "SNAPSHOT"]);

/**
 * A delete does not wait (P25): a cleanup that will delete a row's object ends what an older
 * traversal still does with it. It waits only where that end decides what becomes of the object.
 */
export const endsForDelete = async (
  ports: Ports,
  visit: Visit,
  row: Resource,
  operation: Operation,
): Promise<boolean> => {
  if (visit.message.isUpdate || RUNS_ON.has(operation.action)) return false;
  if (!deletesAtOnce(await ports.resourceTypes.get(operation.type))) return false;
  const { decision } = await planCleanup(ports, visit);
  return mayEndFor(ports, decision, row, operation);
};

const mayEndFor = async (
  ports: Ports,
  decision: Decision,
  row: Resource,
  operation: Operation,
): Promise<boolean> => {
  if (decision.kind !== "act" || decision.action !== "DELETE") return false;
  // The operation could still change the object after it was given back (P17).
  if ((await formerHolder(ports, row)) !== null) return false;
  for (const templateId of new Set([row.templateId, operation.templateId])) {
    if (templateId !== null && (await mayWantItsEnd(ports, row, templateId))) return false;
  }
  return true;
};

/** Answers the same question for a preview, which has no visit. */
export const wouldEndForDelete = async (
  ports: Ports,
  decision: Decision,
  row: Resource,
  operation: Operation,
): Promise<boolean> =>
  !RUNS_ON.has(operation.action) &&
  deletesAtOnce(await ports.resourceTypes.get(operation.type)) &&
  mayEndFor(ports, decision, row, operation);

/** A success would make this template the row's, and its policy or hook may keep the object. */
const mayWantItsEnd = async (
  ports: Ports,
  { tenant, stackId, name }: Resource,
  templateId: string,
): Promise<boolean> => {
  const { source, template } = await loadTemplate(ports, tenant, stackId, templateId);
  const hooks = hooksOf(source.environment.resourceRegistry, name);
  const isPlain = template.resources.get(name)?.deletionPolicy === "Delete";
  return !isPlain || hooks.has("pre-delete") || hooks.has("post-delete");
};
