/**
 * Prepares a traversal (P2): fences the rows of the overtaken one, chooses or mints a row for each
 * name, stores the graph, publishes it and sends the leaves. A prepare can die anywhere and run
 * again: every run goes on with the graph that was stored first.
 */
import type { ConvergenceGraph, GraphFields } from "#lib/model/graph.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { PrepareTraversalMessage } from "#lib/ports/queue.ts";
import { SYNC_POINT_DELETE_KEYS_MAX } from "#lib/ports/store.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { type PlannedRow, plannedRows } from "#lib/stack/planned-rows.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { isStale } from "#lib/stack/stack-predicates.ts";
import { asRead, tombstone } from "../claim.ts";
import { type IndexedGraph, leavesOf } from "../graph/indexed-graph.ts";
import { planGraph } from "../graph/plan-graph.ts";
import { announceSpreadRows } from "../graph/spread-rows.ts";
import { type PlannedGraph, storedGraph, storeGraph } from "../graph/store-graph.ts";
import { inParallel, inParallelWhile } from "../in-parallel.ts";
import {
  GRAPH_PART_NODES_MAX,
  PREPARE_REMAINING_MS_MIN,
  SYNC_POINTS_DELETED_MAX,
  TOMBSTONE_MS,
} from "../limits.ts";
import { pointOfNode, pointOfStack, syncPointKeys } from "../sync-point.ts";
import { type Budget, replacementId, sendVisits, syncPointExpiry } from "../visit.ts";
import { isMarkedDone } from "./readiness.ts";
import { checkStackComplete } from "./stack-completion.ts";
import { writeRunning } from "./traversal.ts";

export type PrepareOutcome = "sent" | "complete" | "stale" | "continued";

export const prepareTraversal = async (
  ports: Ports,
  message: PrepareTraversalMessage,
  budget: PrepareBudget = UNBOUNDED,
  partNodesMax: number = GRAPH_PART_NODES_MAX,
): Promise<PrepareOutcome> => {
  const goesOn = hasTime(budget);
  const stack = await ports.store.getStack(message.tenant, message.stackId);
  if (stack === null || isStale(stack, message)) return "stale";
  const former = await formerGraph(ports, stack);
  const isRepeated = stack.running === stack.traversalId;
  const planned = isRepeated
    ? null
    : await planTraversal(ports, stack, former, { goesOn, partNodesMax });
  if (planned === "short of time") return prepareLater(ports, stack, message);
  const published =
    planned === null ? await publishedBefore(ports, stack) : await publish(ports, stack, planned);
  if (published === null) return "stale";
  const { index, leaves } = published;
  if (index.nodeCount === 0) await checkStackComplete(ports, stack, index, false);
  else {
    const unsent = await sendLeaves(ports, message, leaves, isRepeated, goesOn);
    if (unsent !== null) return prepareLater(ports, stack, message, unsent);
  }
  if (former !== null) await deleteSyncPoints(ports, stack, former.index);
  return index.nodeCount === 0 ? "complete" : "sent";
};

/** Must come before the leaves: a newer traversal can fence only rows of a published graph. */
const publish = async (
  ports: Ports,
  stack: Stack,
  planned: PlannedGraph,
): Promise<PlannedGraph | null> => {
  const isPublished = await writeRunning(ports, stack, {
    running: stack.traversalId,
    sentAt: ports.clock.now(),
  });
  return isPublished ? planned : null;
};

const publishedBefore = async (ports: Ports, stack: Stack): Promise<PlannedGraph | null> => {
  const index = await storedGraph(ports, stack.id, stack.traversalId);
  return index && { index, leaves: await leavesOf(index) };
};

interface FormerGraph extends GraphFields {
  readonly index: IndexedGraph;
  /** The names of its rows, by id. It is empty when no visit of the traversal can act any more. */
  readonly names: ReadonlyMap<string, string>;
}

interface NamedRow {
  readonly resourceId: string;
  readonly name: string;
}

const formerGraph = async (ports: Ports, stack: Stack): Promise<FormerGraph | null> => {
  if (stack.running === null || stack.running === stack.traversalId) return null;
  const index = await storedGraph(ports, stack.id, stack.running);
  if (index === null) return null;
  const names = new Map<string, string>();
  if (stack.overtook) {
    for await (const nodes of index.walk()) {
      for (const { resourceId, name } of nodes) names.set(resourceId, name);
      await pauseIfDue(ports);
    }
  }
  return { ...index.graph, index, names };
};

interface PlanLimits {
  readonly goesOn: () => boolean;
  readonly partNodesMax: number;
}

const planTraversal = async (
  ports: Ports,
  stack: Stack,
  former: FormerGraph | null,
  { goesOn, partNodesMax }: PlanLimits,
): Promise<PlannedGraph | "short of time"> => {
  const graph = await graphOf(ports, stack, former, goesOn);
  if (graph === null) return "short of time";
  await announceSpreadRows(ports, graph);
  return storeGraph(ports, graph, stack.deadline + TOMBSTONE_MS, partNodesMax);
};

/**
 * A function of its own, so that rows and templates leave the memory before the graph is stored.
 * @returns null when little time is left.
 */
const graphOf = async (
  ports: Ports,
  stack: Stack,
  former: FormerGraph | null,
  goesOn: () => boolean,
): Promise<ConvergenceGraph | null> => {
  // Parsing a template takes much memory for a moment, so that comes before the rows.
  if (!stack.overtook) await targetOf(ports, stack);
  // A traversal that ended COMPLETE has no visits left that could act, so no row needs a fence.
  const rows = stack.overtook
    ? await fenceRows(ports, stack, former, goesOn)
    : await plannedRows(ports, stack.id);
  if (rows === null) return null;
  const target = await targetOf(ports, stack);
  return planGraph(ports, stack, { former, rows, target });
};

const targetOf = async (ports: Ports, stack: Stack): Promise<LoadedTemplate | null> =>
  stack.action === "DELETE" ? null : loadTemplate(ports, stack.tenant, stack.id, stack.templateId);

/**
 * Stamps every row that exists, and every row that a visit of the former graph could still create.
 * Tombstones are stamped too, or an old visit would revive them. A visit may insert a replacement
 * between the listing and the stamping, so the loop lists again until no number is lower.
 * @returns null when little time is left, but each message stamps at least one row.
 */
const fenceRows = async (
  ports: Ports,
  stack: Stack,
  former: FormerGraph | null,
  goesOn: () => boolean,
): Promise<readonly PlannedRow[] | null> => {
  for (;;) {
    const rows = await plannedRows(ports, stack.id);
    const known = new Set(rows.map((row) => row.id));
    const uncreated = [...rowsNamedBy(former), ...otherReplacements(ports, stack, rows)].filter(
      (node) => !known.has(node.resourceId),
    );
    const lower = rows.filter((row) => row.number < stack.traversalNumber);
    if (lower.length === 0 && uncreated.length === 0) return rows;
    const stamps = function* () {
      for (const row of lower) yield () => stampRow(ports, stack, row);
      for (const node of uncreated) yield () => stampUncreated(ports, stack, node);
    };
    await inParallelWhile(stamps(), goesOn);
    if (!goesOn()) return null;
  }
};

const rowsNamedBy = (former: FormerGraph | null): readonly NamedRow[] =>
  [...(former?.names ?? [])].map(([resourceId, name]) => ({ resourceId, name }));

/**
 * Rows that an older visit may be about to insert. Replacements of this traversal are left out: a
 * late duplicate of this prepare must not stamp what its own visits insert.
 */
const otherReplacements = (ports: Ports, stack: Stack, rows: readonly PlannedRow[]) =>
  rows.flatMap(({ id, replacedBy, name }) =>
    replacedBy === null || replacedBy === replacementId(ports, stack.traversalId, id)
      ? []
      : [{ resourceId: replacedBy, name }],
  );

/** Renews the expiry too. If the stamp is refused, the loop reads the row again. */
const stampRow = (ports: Ports, stack: Stack, row: PlannedRow) =>
  ports.store.writeResource({ stackId: stack.id, id: row.id }, [asRead(row)], {
    set: {
      number: stack.traversalNumber,
      // A waiting visit of the overtaken traversal must not keep the new one's visit from waiting.
      waitUntil: null,
      ...(row.expiresAt === null ? {} : { expiresAt: ports.clock.now() + TOMBSTONE_MS }),
    },
  });

const stampUncreated = (ports: Ports, stack: Stack, node: NamedRow) =>
  ports.store.writeResource({ stackId: stack.id, id: node.resourceId }, [asRead(null)], {
    set: {},
    insert: tombstone(ports, stack, node.resourceId, node.name),
  });

const sendLeaves = async (
  ports: Ports,
  message: PrepareTraversalMessage,
  leaves: PlannedGraph["leaves"],
  isRepeated: boolean,
  goesOn: () => boolean,
): Promise<number | null> => {
  const { firstLeaf } = message;
  if (isRepeated && firstLeaf === undefined) return sendOpenLeaves(ports, message, leaves, goesOn);
  const first = firstLeaf ?? 0;
  const sent = await sendVisits(ports, message, leaves.slice(first), goesOn);
  return first + sent < leaves.length ? first + sent : null;
};

/** A repeated prepare does not know which leaves were sent, so it sends those that are not done. */
const sendOpenLeaves = async (
  ports: Ports,
  message: PrepareTraversalMessage,
  leaves: PlannedGraph["leaves"],
  goesOn: () => boolean,
): Promise<number | null> => {
  const { stackId, traversalId } = message;
  const rows = new Map((await plannedRows(ports, stackId)).map((row) => [row.id, row]));
  const open = leaves.flatMap((node, leaf) => {
    const row = rows.get(node.resourceId) ?? null;
    return isMarkedDone(row, traversalId, node.isUpdate) ? [] : [{ ...node, leaf }];
  });
  const sent = await sendVisits(ports, message, open, goesOn);
  return open[sent]?.leaf ?? null;
};

/** Nothing reads the SyncPoints of the former traversal. The points of a large one expire. */
const deleteSyncPoints = async (ports: Ports, stack: Stack, index: IndexedGraph): Promise<void> => {
  const expiresAt = syncPointExpiry(stack);
  if (index.nodeCount > SYNC_POINTS_DELETED_MAX) return;
  let ofStack = [true, false].map((isUpdate) => pointOfStack(index, isUpdate, expiresAt));
  for await (const nodes of index.walk()) {
    const ofNodes = nodes.map((node) => pointOfNode(index.graph, node, expiresAt));
    const keys = [...ofStack, ...ofNodes].flatMap(syncPointKeys);
    const batches: (() => Promise<void>)[] = [];
    for (let at = 0; at < keys.length; at += SYNC_POINT_DELETE_KEYS_MAX) {
      const batch = keys.slice(at, at + SYNC_POINT_DELETE_KEYS_MAX);
      batches.push(() => ports.store.deleteSyncPoints(batch));
    }
    await inParallel(batches);
    ofStack = [];
  }
};

export type PrepareBudget = Pick<Budget, "remainingMs">;

/**
 * A prepare of a large stack can take longer than its invocation. Then it sends itself again.
 * Stamped rows stay stamped, so the next round goes on behind them. Each round is a new message, so
 * no number of rounds makes a dead letter.
 */
export const UNBOUNDED: PrepareBudget = { remainingMs: () => Number.POSITIVE_INFINITY };

const hasTime =
  ({ remainingMs }: PrepareBudget) =>
  (): boolean =>
    remainingMs() >= PREPARE_REMAINING_MS_MIN;

/** `sentAt` tells the sweeper that messages are under way (P11). */
const prepareLater = async (
  ports: Ports,
  stack: Stack,
  message: PrepareTraversalMessage,
  firstLeaf?: number,
): Promise<"continued" | "stale"> => {
  if (!(await writeRunning(ports, stack, { sentAt: ports.clock.now() }))) return "stale";
  const next = { ...message, ...(firstLeaf !== undefined && { firstLeaf }) };
  await ports.queue.send("prepare", [next]);
  return "continued";
};
