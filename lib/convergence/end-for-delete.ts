/**
 * A delete does not wait (P25): a cleanup that will delete a row's object ends what an older
 * traversal still does with it. It waits only where that end decides what becomes of the object.
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

/** A DELETE is wanted anyway. Only the end of a SNAPSHOT says what it has made. */
const RUNS_ON: ReadonlySet<OperationAction> = new Set(["DELETE", "SNAPSHOT"]);

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
