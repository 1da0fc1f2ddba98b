/** The end of a traversal (P8), for the visit that fills one of the stack's own SyncPoints. */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { StackChange } from "#lib/ports/store.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import { deleteSnapshot, saveSnapshot } from "#lib/stack/stack-document.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { shortReason } from "../complete.ts";
import { isOutOfReach, isUnfit } from "../decide.ts";
import type { IndexedGraph } from "../graph/indexed-graph.ts";
import { letSpreadRowsExpire } from "../graph/spread-rows.ts";
import { endIfCleanupFailed } from "./failure.ts";
import { reachedTarget, writeRunning } from "./traversal.ts";

/** `isUpdate`: (stack, update) is full, so the update is good. Otherwise everything is done. */
export const checkStackComplete = async (
  ports: Ports,
  stack: Stack,
  index: IndexedGraph,
  isUpdate: boolean,
): Promise<void> => {
  if (isUpdate) {
    // Read the stack again: if a cleanup has failed, filling this point ends the traversal.
    const current = await ports.store.getStack(stack.tenant, stack.id);
    if (current?.traversalId === stack.traversalId) await endIfCleanupFailed(ports, current, index);
    return;
  }
  if (stack.action === "SNAPSHOT") await saveSnapshot(ports, stack);
  if (stack.action === "DELETE") {
    for (const { id } of stack.snapshots ?? []) await deleteSnapshot(ports, stack, id);
    await letSpreadRowsExpire(ports, index);
  }
  const findings = stack.action === "CHECK" ? await failedChecks(ports, stack) : [];
  const reason = `Stack ${stack.action} completed successfully${await leftAsIs(ports, stack)}`;
  await writeRunning(ports, stack, {
    ...(findings.length > 0
      ? {
          status: "FAILED",
          statusReason: shortReason(`Resource CHECK failed: ${findings.join("; ")}`),
        }
      : {
          status: "COMPLETE",
          statusReason: shortReason(reason),
          // A deleted stack must still be retired (lib/engine/stacks/retire-stack.ts). In any
          // other, each traversal but the first has superseded a template (settling, P16).
          settled: stack.action !== "DELETE" && stack.traversalNumber === 1,
        }),
    ...fieldsOwnedBy(ports, stack),
  });
};

/** Only converging actions set `lastGood`: under any other, the target may never have run. */
const fieldsOwnedBy = (ports: Ports, stack: Stack): StackChange => {
  switch (stack.action) {
    case "CREATE":
    case "ADOPT":
    case "UPDATE":
    case "RESTORE":
    case "ROLLBACK":
      return reachedTarget(ports, stack);
    case "RESUME":
      return { suspended: false };
    case "DELETE":
      return { deletedAt: ports.clock.now() };
    default:
      return {};
  }
};

/** The stack's reason names what was left alone, because an object that runs on costs money. */
const leftAsIs = async (ports: Ports, stack: Stack): Promise<string> => {
  if (stack.action !== "SUSPEND" && stack.action !== "RESUME") return "";
  const left = await rowsWhere(
    ports,
    stack.id,
    (row) => isExtant(row) && row.action !== "INIT" && isOutOfReach(row, false),
  );
  if (left.length === 0) return "";
  const verb = stack.action === "SUSPEND" ? "suspended" : "resumed";
  const texts = left.map((row) => `${row.name}, because ${whyLeft(row)}`);
  return `. It was not ${verb}: ${texts.join("; ")}`;
};

const whyLeft = (row: Resource): string =>
  isUnfit(row) ? `its ${row.action} has failed` : "its object is gone";

const failedChecks = async (ports: Ports, stack: Stack): Promise<readonly string[]> => {
  const failed = await rowsWhere(
    ports,
    stack.id,
    (row) => row.checkFailed && row.updateDone === stack.traversalId,
  );
  return failed.map((row) => row.statusReason);
};
