/**
 * P2: an update to the very target that the traversal before it has reached. Every visit would read the same definition
 * and the same inputs as the one before it, and keep its row; so there is nothing to visit. Heat visits them all.
 */
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isExtant } from "./best-resource.ts";
import { convergesTo } from "./stack-actions.ts";
import type { LoadedTemplate, TemplateSource } from "./template-record.ts";
import { mayStayUnchanged } from "./type-predicates.ts";

/** Whether the stack stands where `source` would bring it, so that the record which it has can be the target again. */
export const isTargetReached = (
  stack: Stack,
  current: LoadedTemplate,
  source: TemplateSource,
): boolean =>
  stack.status === "COMPLETE" &&
  convergesTo(stack.action) &&
  stack.lastGood === current.id &&
  JSON.stringify(current.source) === JSON.stringify(source);

interface Situation {
  readonly stack: Stack;
  /** The graph of the traversal before this one. */
  readonly former: ConvergenceGraph | null;
  readonly rows: readonly Resource[];
  readonly target: LoadedTemplate;
  /** By name, of all rows. */
  readonly types: ReadonlyMap<string, ResourceType | null>;
}

/** Any other action in between may have changed what a row's dependents would read, and any mark by hand the row. */
export const isNothingToConverge = (situation: Situation): boolean => {
  const { stack, former, target, types } = situation;
  if (stack.action !== "UPDATE" || stack.overtook || former === null) return false;
  if (!convergesTo(former.action) || former.templateId !== stack.templateId) return false;
  // A hook waits before an update that would change nothing, too.
  const byName = target.source.environment.resourceRegistry["resources"];
  if (byName !== undefined && Object.keys(byName ?? {}).length > 0) return false;
  const rows = situation.rows.filter(isExtant);
  const { resources } = target.template;
  return (
    rows.length === resources.size &&
    rows.every((row) => resources.has(row.name) && isKept(row, stack, types.get(row.type) ?? null))
  );
};

/** More than the properties may have changed for what nests a stack, and some are to be made anew each time. */
const isKept = (row: Resource, stack: Stack, type: ResourceType | null): boolean =>
  row.status === "COMPLETE" &&
  row.templateId === stack.templateId &&
  row.operation === null &&
  mayStayUnchanged(type);
