/**
 * P2, preparing a traversal: fence what the overtaken one may still do, choose or mint a row for each
 * name, store the graph, publish it, send the leaves. It may die anywhere and be run again: the graph
 * that is stored first is the one that counts.
 */
import type { ConvergenceGraph } from "#lib/model/graph.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { PrepareTraversalMessage } from "#lib/ports/queue.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { SYNC_POINT_DELETE_KEYS_MAX } from "#lib/ports/store.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { isStale } from "#lib/stack/is-stale.ts";
import { isNothingToConverge } from "#lib/stack/same-target.ts";
import { convergesTo } from "#lib/stack/stack-actions.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/template-record.ts";
import { isBarrier } from "#lib/stack/type-predicates.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { asRead, tombstone } from "./claim.ts";
import { buildGraph, type IndexedGraph, indexGraph } from "./convergence-graph.ts";
import { inParallel } from "./in-parallel.ts";
import { TOMBSTONE_MS } from "./limits.ts";
import { isMarkedDone } from "./readiness.ts";
import { checkStackComplete } from "./stack-completion.ts";
import { pointOfNode, pointOfStack, syncPointKeys } from "./sync-point.ts";
import { writeRunning } from "./traversal.ts";
import { nodeAt, replacementId, sendVisits, syncPointExpiry } from "./visit.ts";

export type PrepareOutcome = "sent" | "complete" | "stale";

export const prepareTraversal = async (
  ports: Ports,
  message: PrepareTraversalMessage,
): Promise<PrepareOutcome> => {
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  if (stack === null || isStale(stack, message)) return "stale";
  const former = await formerGraph(ports, stack);
  const isRepeated = stack.running === stack.traversalId;
  const graph = isRepeated
    ? await ports.store.getGraph(stack.id, stack.traversalId)
    : await publish(ports, stack, await planTraversal(ports, stack, former));
  if (graph === null) return "stale";
  const index = indexGraph(graph);
  if (graph.nodes.length === 0) await checkStackComplete(ports, stack, index, false);
  else await sendLeaves(ports, message, index, isRepeated);
  if (former !== null) await deleteSyncPoints(ports, stack, indexGraph(former));
  return graph.nodes.length === 0 ? "complete" : "sent";
};

/** Only what is published may send its leaves: a newer traversal fences what the published graph names. */
const publish = async (
  ports: Ports,
  stack: Stack,
  graph: ConvergenceGraph,
): Promise<ConvergenceGraph | null> => {
  const isPublished = await writeRunning(ports, stack, { running: stack.traversalId });
  return isPublished ? graph : null;
};

/** The graph of the last traversal that was published before this one. */
const formerGraph = async (ports: Ports, stack: Stack): Promise<ConvergenceGraph | null> =>
  stack.running === null || stack.running === stack.traversalId
    ? null
    : ports.store.getGraph(stack.id, stack.running);

const planTraversal = async (
  ports: Ports,
  stack: Stack,
  former: ConvergenceGraph | null,
): Promise<ConvergenceGraph> => {
  // When nothing was overtaken nobody is left who could act for an older traversal: no cost.
  const rows = stack.overtook
    ? await fenceRows(ports, stack, former)
    : await ports.store.listResources(stack.id);
  const target = await targetOf(ports, stack);
  const types = await typesOf(ports, rows);
  const isUnchanged =
    target !== null && isNothingToConverge({ stack, former, rows, target, types });
  return ports.store.putGraph(
    buildGraph({
      stackId: stack.id,
      traversalId: stack.traversalId,
      traversalNumber: stack.traversalNumber,
      action: stack.action,
      templateId: stack.templateId,
      targets: isUnchanged || target === null ? [] : await definitionsIn(ports, stack, target),
      rows: isUnchanged ? [] : rows,
      interruptedTemplateId: former?.templateId ?? null,
      mintId: (name) => ports.ids.derive("row", stack.traversalId, name),
    }),
  );
};

/** Null in a DELETE: nothing is to be there. */
const targetOf = async (ports: Ports, stack: Stack): Promise<LoadedTemplate | null> =>
  stack.action === "DELETE" ? null : loadTemplate(ports, stack.tenant, stack.id, stack.templateId);

/** P15: what only orders others has no part in what makes and changes nothing. */
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
  rows: readonly Resource[],
): Promise<ReadonlyMap<string, ResourceType | null>> => {
  const names = new Set(rows.map(({ type }) => type));
  const types = [...names].map(
    async (name) => [name, await ports.resourceTypes.get(name)] as const,
  );
  return new Map(await Promise.all(types));
};

/**
 * Raises the number of every row that is there or that the former graph could still bring into being:
 * soft-deleted and never-born ones too, or an old visit would revive them. Repeated until none is
 * lower, because a replacement may be born between the listing and the stamping.
 */
const fenceRows = async (
  ports: Ports,
  stack: Stack,
  former: ConvergenceGraph | null,
): Promise<readonly Resource[]> => {
  for (;;) {
    const rows = await ports.store.listResources(stack.id);
    const known = new Set(rows.map((row) => row.id));
    const unborn = [...(former?.nodes ?? []), ...replacementsOfOthers(ports, stack, rows)].filter(
      (node) => !known.has(node.resourceId),
    );
    const lower = rows.filter((row) => row.number < stack.traversalNumber);
    if (lower.length === 0 && unborn.length === 0) return rows;
    const stamps = [
      ...lower.map((row) => () => stampRow(ports, stack, row)),
      ...unborn.map((node) => () => stampUnborn(ports, stack, node)),
    ];
    await inParallel(stamps);
  }
};

/** The rows that are pointed at: an older visit may be about to make one. My own may be under way already, if I am a late duplicate. */
const replacementsOfOthers = (ports: Ports, stack: Stack, rows: readonly Resource[]) =>
  rows.flatMap(({ id, replacedBy, name }) =>
    replacedBy === null || replacedBy === replacementId(ports, stack.traversalId, id)
      ? []
      : [{ resourceId: replacedBy, name }],
  );

/** An expiry is set anew: the new traversal names the row. A refused stamp is repeated with the row as it is by then. */
const stampRow = (ports: Ports, stack: Stack, row: Resource) =>
  ports.store.writeResource({ stackId: stack.id, id: row.id }, [asRead(row)], {
    set: {
      number: stack.traversalNumber,
      // The visit that waits is of an overtaken traversal: it must not keep the new one's from waiting.
      waitUntil: null,
      ...(row.expiresAt === null ? {} : { expiresAt: ports.clock.now() + TOMBSTONE_MS }),
    },
  });

const stampUnborn = (
  ports: Ports,
  stack: Stack,
  node: { readonly resourceId: string; readonly name: string },
) =>
  ports.store.writeResource({ stackId: stack.id, id: node.resourceId }, [asRead(null)], {
    set: {},
    insert: tombstone(ports, stack, node.resourceId, node.name),
  });

/** A leaf that is done needs no visit. In a prepare that is not repeated none can be done, and the rows are not read. */
const sendLeaves = async (
  ports: Ports,
  message: PrepareTraversalMessage,
  index: IndexedGraph,
  isRepeated: boolean,
): Promise<void> => {
  const rows = new Map(
    isRepeated
      ? (await ports.store.listResources(message.stackId)).map((row) => [row.id, row])
      : [],
  );
  const open = index.leaves
    .map((at) => nodeAt(index, at))
    .filter(
      (node) =>
        !isMarkedDone(rows.get(node.resourceId) ?? null, message.traversalId, node.isUpdate),
    );
  await sendVisits(ports, message, open);
};

/** Those of an overtaken traversal serve nobody. What a crash leaves behind here expires. */
const deleteSyncPoints = async (ports: Ports, stack: Stack, index: IndexedGraph): Promise<void> => {
  const expiresAt = syncPointExpiry(stack);
  const points = [
    ...index.graph.nodes.map((_, at) => pointOfNode(index, at, expiresAt)),
    pointOfStack(index, true, expiresAt),
    pointOfStack(index, false, expiresAt),
  ];
  const keys = points.flatMap(syncPointKeys);
  const batches: (() => Promise<void>)[] = [];
  for (let at = 0; at < keys.length; at += SYNC_POINT_DELETE_KEYS_MAX) {
    const batch = keys.slice(at, at + SYNC_POINT_DELETE_KEYS_MAX);
    batches.push(() => ports.store.deleteSyncPoints(batch));
  }
  await inParallel(batches);
};
