/**
 * P25: a delete does not wait. A cleanup that is going to delete the object of a row ends what an
 * older traversal still does with it. It waits as ever where the end of the operation decides what
 * becomes of the object.
 */
import type { OperationAction } from "#lib/model/action.ts";
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { loadTemplate } from "#lib/stack/template-record.ts";
import { deletesAtOnce } from "#lib/stack/type-predicates.ts";
import { hooksOf } from "#lib/template/resource-hooks.ts";
import type { Decision } from "./decide.ts";
import { planCleanup } from "./plan-cleanup.ts";
import { formerHolder } from "./shared-object.ts";
import type { Visit } from "./visit.ts";

/** A DELETE is what is wanted. Only its end says what a SNAPSHOT has made. */
const RUNS_ON: ReadonlySet<OperationAction> = new Set(["DELETE", "SNAPSHOT"]);

/** The row is as this visit has read it, with an operation of another node. */
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

/** Whether the cleanup that decided so about the row may end the operation. */
const mayEndFor = async (
  ports: Ports,
  decision: Decision,
  row: Resource,
  operation: Operation,
): Promise<boolean> => {
  if (decision.kind !== "act" || decision.action !== "DELETE") return false;
  // P17: the operation could still change the object after it was given back.
  if ((await formerHolder(ports, row)) !== null) return false;
  for (const templateId of new Set([row.templateId, operation.templateId])) {
    if (templateId !== null && (await mayWantItsEnd(ports, row, templateId))) return false;
  }
  return true;
};

/** The same for a preview: the row is as the preview has read it. */
export const wouldEndForDelete = async (
  ports: Ports,
  decision: Decision,
  row: Resource,
  operation: Operation,
): Promise<boolean> =>
  !RUNS_ON.has(operation.action) &&
  deletesAtOnce(await ports.resourceTypes.get(operation.type)) &&
  mayEndFor(ports, decision, row, operation);

/**
 * A success of the operation would make its template the row's. That one's policy, or its hook,
 * may then keep the object.
 */
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
