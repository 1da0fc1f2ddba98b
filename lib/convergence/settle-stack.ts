/**
 * When no visit of a stack's traversals can live any more, the stack loses the template records
 * that nothing names, and settles (P16).
 */
import type { Stack } from "#lib/model/stack.ts";
import { BLOB_KEYS_MAX } from "#lib/ports/blobs.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { StackWrite } from "#lib/ports/store.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { type PlannedRow, templatesOfRows } from "#lib/stack/planned-rows.ts";
import { deleteTemplate, listTemplates } from "#lib/stack/template-record.ts";
import { inParallel } from "./in-parallel.ts";
import { SETTLE_MS_MIN } from "./limits.ts";

export const isLongOver = ({ endedAt }: Stack, now: number): boolean =>
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
