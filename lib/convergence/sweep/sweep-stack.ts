/**
 * Sweeps one stack (P11): sends messages again for work that stands still, and makes the write that
 * ends a traversal if nobody has. Repeating any of this is harmless.
 */
import type { Stack } from "#lib/model/stack.ts";
import { BLOB_KEYS_MAX, type Ports } from "#lib/ports/ports.ts";
import type { StackKey, StackWrite } from "#lib/ports/store.ts";
import { type PlannedRow, plannedRows, templatesOfRows } from "#lib/stack/planned-rows.ts";
import { deleteTemplate, listTemplates } from "#lib/stack/record/template-record.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { isHeld } from "../claim.ts";
import { publishedGraph } from "../graph/store-graph.ts";
import { inParallel } from "../in-parallel.ts";
import { BACKLOG_PARTS, BACKLOG_VISITS_MIN, SETTLE_MS_MIN } from "../limits.ts";
import { currentTraversal, visitOfOwner } from "../messages.ts";
import { endIfOverdue } from "../traversal/deadline.ts";
import { endIfCleanupFailed } from "../traversal/failure.ts";
import { checkStackComplete } from "../traversal/stack-completion.ts";
import { sendMessages, sendVisits } from "../visit.ts";
import { findStalledNodes, isRecent, type StalledNode } from "./stalled-nodes.ts";

interface SweepLimits {
  readonly overdueMsMin: number;
  /** A queue that drops duplicates by itself needs no backlog. */
  readonly backlog: Backlog | null;
  readonly retire: (stack: Stack) => Promise<unknown>;
}

export const sweepStack = async (
  ports: Ports,
  key: StackKey,
  limits: SweepLimits,
): Promise<number> => {
  const stack = await ports.store.getStack(key.tenant, key.id);
  // The list comes from an index that may be late.
  if (stack === null || stack.settled) return 0;
  // A delete is never refused (P1), so a deleted stack may be in progress once more.
  if (stack.deletedAt !== null && stack.status !== "IN_PROGRESS") {
    await limits.retire(stack);
    return 0;
  }
  // No operation runs in a COMPLETE stack.
  if (stack.status === "COMPLETE" && !isLongOver(stack, ports.clock.now())) return 0;
  const rows = await plannedRows(ports, stack.id);
  const polls = await sweepOperations(ports, stack, rows, limits.overdueMsMin);
  if (stack.status !== "IN_PROGRESS") return polls;
  return polls + (await sweepTraversal(ports, stack, rows, limits));
};

/** Stacks at rest are swept too: an operation of another resource may still run after a failure. */
const sweepOperations = async (
  ports: Ports,
  stack: Stack,
  rows: readonly PlannedRow[],
  overdueMsMin: number,
): Promise<number> => {
  const now = ports.clock.now();
  const busy = rows.filter((row) => row.operation !== null);
  const idle = busy.filter((row) => isForgotten(row, now - overdueMsMin, now));
  await sendMessages(
    ports,
    "poll",
    idle.flatMap((row) => (row.operation === null ? [] : [visitOfOwner(row, row.operation)])),
  );
  if (stack.status !== "IN_PROGRESS" && busy.length === 0 && isLongOver(stack, now)) {
    await settleStack(ports, stack, rows);
  }
  return idle.length;
};

/** No worker holds the operation, and its poll is overdue or was never sent. */
const isForgotten = (row: PlannedRow, dueBefore: number, now: number): boolean => {
  if (row.operation === null || isHeld(row, now)) return false;
  const due = row.nextPollAt ?? row.lease?.expiresAt ?? row.operation.startedAt;
  return due <= dueBefore || row.operation.deadline <= dueBefore;
};

const sweepTraversal = async (
  ports: Ports,
  stack: Stack,
  rows: readonly PlannedRow[],
  { overdueMsMin, backlog }: SweepLimits,
): Promise<number> => {
  if ((await endIfOverdue(ports, stack)) === 0) return 0;
  const traversal = currentTraversal(stack);
  const index = await publishedGraph(ports, stack);
  if (index === null) {
    if (isRecent(stack.sentAt, ports.clock.now(), overdueMsMin)) return 0;
    await ports.queue.send("prepare", [{ type: "prepare_traversal", ...traversal }]);
    return 1;
  }
  const swept = { stack, index, overdueMsMin };
  const { isComplete, stalled } = await findStalledNodes(ports, swept, rows);
  // The visit that filled the stack's own point may have died before it ended the stack.
  if (isComplete) {
    await checkStackComplete(ports, stack, index, false);
    return 0;
  }
  await endIfCleanupFailed(ports, stack, index);
  const due = backlog === null ? stalled : await backlog.dueOf(stalled);
  await sendVisits(ports, traversal, due);
  return due.length;
};

/**
 * When no visit of a stack's traversals can live any more, the stack loses the template records
 * that nothing names, and settles (P16).
 */
const isLongOver = ({ endedAt }: Stack, now: number): boolean =>
  endedAt !== null && endedAt < now - SETTLE_MS_MIN;

/** The stack must be long over, without operations. `rows` were listed after `stack` was read. */
export const settleStack = async (
  ports: Pick<Ports, "store" | "blobs">,
  stack: Stack,
  rows: readonly PlannedRow[],
): Promise<void> => {
  const stored = await listTemplates(ports, stack.id);
  const named = namedTemplates(stack, rows);
  const superseded = stored.filter((id) => !named.has(id));
  if (superseded.length === 0) {
    await writeAsRead(ports, stack, true);
    return;
  }
  // The fence: a request that read the stack before is refused from now on, so it cannot make a
  // superseded record its target. A later request stores its record under a new id.
  const fence = await writeAsRead(ports, stack, false);
  if (!fence.written) return;
  await inParallel(superseded.map((id) => () => deleteTemplate(ports, stack.id, id)));
  // After a full page there may be more records, for which the next round of the sweeper looks.
  if (stored.length < BLOB_KEYS_MAX) await writeAsRead(ports, fence.stack, true);
};

/** Nobody reads the template of a tombstone. */
const namedTemplates = (stack: Stack, rows: readonly PlannedRow[]): ReadonlySet<string | null> =>
  new Set([stack.templateId, stack.lastGood, ...templatesOfRows(rows.filter(isExtant))]);

const writeAsRead = (
  ports: Pick<Ports, "store">,
  { tenant, id, statusVersion }: Stack,
  settled: boolean,
): Promise<StackWrite> =>
  ports.store.writeStack(tenant, id, [{ clause: "statusVersionIs", statusVersion }], { settled });

const ROUND_MS = 60_000;
/** The golden ratio gives every part its turn, whatever the distance of two rounds is. */
const STRIDE = 0.618_033_988_749_895;

/**
 * More than a hundred nodes of a stack may be overdue because their messages still wait in the
 * queue, and a queue cannot be asked for single messages. If it holds as many visits as the stack
 * misses, a round of the sweeper sends only one part of them, each round another part (ADR 15).
 */
export class Backlog {
  readonly #ports: Ports;
  #queued: Promise<number> | null = null;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async dueOf(overdue: readonly StalledNode[]): Promise<readonly StalledNode[]> {
    if (overdue.length <= BACKLOG_VISITS_MIN) return overdue;
    this.#queued ??= queuedVisits(this.#ports);
    if ((await this.#queued) < overdue.length) return overdue;
    const round = Math.floor(this.#ports.clock.now() / ROUND_MS);
    const part = Math.floor(((round * STRIDE) % 1) * BACKLOG_PARTS);
    return overdue.filter(({ at }) => at % BACKLOG_PARTS === part);
  }
}

const queuedVisits = async (ports: Ports): Promise<number> => {
  const check = (await ports.queue.depths()).find(({ queue }) => queue === "check");
  return check === undefined ? 0 : check.waiting + check.delayed + check.inFlight;
};
