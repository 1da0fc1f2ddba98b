/** Plans the graph of a traversal (P2), for prepares and previews alike. */
import type { ConvergenceGraph, GraphFields } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { inTurns } from "#lib/stack/in-turns.ts";
import { isAtLastGood, namesToVisit } from "#lib/stack/partial/visited-names.ts";
import type { PlannedRow } from "#lib/stack/planned-rows.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { convergesTo } from "#lib/stack/stack-predicates.ts";
import { rowsLikeTarget } from "#lib/stack/standing-rows.ts";
import { isBarrier } from "#lib/stack/type-predicates.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { buildGraph } from "./convergence-graph.ts";
import { mintedIds } from "./spread-rows.ts";

export type FormerTarget = Pick<GraphFields, "action" | "templateId">;

export interface GraphReading {
  readonly former: FormerTarget | null;
  readonly rows: readonly PlannedRow[];
  readonly target: LoadedTemplate | null;
}

export const planGraph = async (
  ports: Ports,
  stack: Stack,
  { former, rows, target }: GraphReading,
): Promise<ConvergenceGraph> => {
  const targets = target === null ? [] : await definitionsIn(ports, stack, target);
  const visited = target === null ? null : await visitedNames(ports, stack, former, rows, target);
  const steps = buildGraph({
    stackId: stack.id,
    traversalId: stack.traversalId,
    traversalNumber: stack.traversalNumber,
    action: stack.action,
    templateId: stack.templateId,
    targets,
    rows,
    interruptedTemplateId: former?.templateId ?? null,
    likeTarget: await rowsLikeTarget(ports, stack, rows),
    visited,
    barriers: visited === null ? NONE : await barriersAmong(ports, rows),
    mintId: mintedIds(ports, stack, targets.length),
  });
  return inTurns(ports, steps);
};

const NONE: ReadonlySet<string> = new Set();

/** Barriers (P15) have no object, so rows that are not visited need not let go of them. */
const barriersAmong = async (
  ports: Ports,
  rows: readonly PlannedRow[],
): Promise<ReadonlySet<string>> => {
  const types = await typesOf(ports, rows);
  const barriers = rows.filter(({ type }) => isBarrier(types.get(type) ?? null));
  return new Set(barriers.map(({ id }) => id));
};

const visitedNames = async (
  ports: Ports,
  stack: Stack,
  former: FormerTarget | null,
  rows: readonly PlannedRow[],
  target: LoadedTemplate,
): Promise<ReadonlySet<string> | null> => {
  if (former === null || !isAtLastGood(stack, former)) return null;
  const before = await loadTemplate(ports, stack.tenant, stack.id, former.templateId);
  return namesToVisit(ports, { before, target, rows, types: await typesOf(ports, rows) });
};

/** Barriers (P15) only order others, so actions that create and change nothing leave them out. */
const definitionsIn = async (
  ports: Ports,
  stack: Stack,
  { template, source }: LoadedTemplate,
): Promise<readonly ResourceDefinition[]> => {
  const definitions = [...template.resources.values()];
  if (convergesTo(stack.action)) return definitions;
  const kept = definitions.map(async (definition) => {
    const type = await ports.resourceTypes.get(definedTypeName(source, definition));
    return isBarrier(type) ? [] : [definition];
  });
  return (await Promise.all(kept)).flat();
};

const typesOf = async (
  ports: Ports,
  rows: readonly PlannedRow[],
): Promise<ReadonlyMap<string, ResourceType | null>> => {
  const names = new Set(rows.map(({ type }) => type));
  const types = [...names].map(
    async (name) => [name, await ports.resourceTypes.get(name)] as const,
  );
  return new Map(await Promise.all(types));
};
