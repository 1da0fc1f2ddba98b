/**
 * P2: an update to the target that the previous traversal has reached. Every visit would read the
 * same definition and inputs as before and keep its row, so the traversal has no nodes. Heat visits
 * them all.
 */
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { ResourceTypes } from "#lib/ports/resource-type.ts";
import { isExtant } from "./best-resource.ts";
import { convergesTo } from "./stack-actions.ts";
import type { LoadedTemplate, TemplateSource } from "./template-record.ts";

/** The stack has reached `source` already, so its present record can be the target again. */
export const isTargetReached = (
  stack: Stack,
  current: LoadedTemplate,
  source: TemplateSource,
): boolean =>
  stack.status === "COMPLETE" &&
  convergesTo(stack.action) &&
  stack.lastGood === current.id &&
  JSON.stringify(current.source) === JSON.stringify(source);

interface UnchangedTarget {
  readonly stack: Stack;
  /** The graph of the previous traversal. */
  readonly former: ConvergenceGraph | null;
  readonly rows: readonly Resource[];
  readonly target: LoadedTemplate;
  readonly resourceTypes: ResourceTypes;
}

/**
 * Another action in between may have changed what dependents read. A user may have marked a row.
 */
export const isNothingToConverge = (situation: UnchangedTarget): boolean => {
  const { stack, former, target, resourceTypes } = situation;
  if (stack.action !== "UPDATE" || stack.overtook || former === null) return false;
  if (!convergesTo(former.action) || former.templateId !== stack.templateId) return false;
  // A hook also waits before an update that changes nothing.
  const byName = target.source.environment.resourceRegistry["resources"];
  if (byName !== undefined && Object.keys(byName ?? {}).length > 0) return false;
  const rows = situation.rows.filter(isExtant);
  const { resources } = target.template;
  return (
    rows.length === resources.size &&
    rows.every((row) => resources.has(row.name) && isKept(row, stack, resourceTypes))
  );
};

/**
 * A nested stack can differ by more than its properties. Some types are replaced by every update.
 */
const isKept = (row: Resource, stack: Stack, resourceTypes: ResourceTypes): boolean => {
  const type = resourceTypes.get(row.type);
  return (
    row.status === "COMPLETE" &&
    row.templateId === stack.templateId &&
    row.operation === null &&
    type !== null &&
    type.nests === undefined &&
    type.replacedByEveryUpdate !== true
  );
};
