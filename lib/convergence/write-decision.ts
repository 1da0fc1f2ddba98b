/** The decisions that need one write on the row and no call of the provider (P3.1). */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { RowWrite } from "#lib/ports/store.ts";
import { resealTexts } from "#lib/stack/reference.ts";
import { placeIn } from "#lib/template/format.ts";
import type { Acted } from "./act.ts";
import { writeUnlocked } from "./claim.ts";
import type { Decision } from "./decide.ts";
import { passedHook } from "./hook.ts";
import { TOMBSTONE_MS } from "./limits.ts";
import type { Plan } from "./plan.ts";
import type { Visit } from "./visit.ts";

type WrittenDecision = Extract<Decision, { kind: "keep" | "drop" | "refuse" | "missing" }>;

export const writeDecision = async (
  ports: Ports,
  visit: Visit,
  plan: Plan,
  decision: WrittenDecision,
): Promise<Acted> => {
  const write = await decisionWrite(ports, visit, plan, decision);
  return write.written ? { kind: "ended", row: write.row } : { kind: "stopped", outcome: "moved" };
};

const decisionWrite = (
  ports: Ports,
  visit: Visit,
  plan: Plan,
  decision: WrittenDecision,
): Promise<RowWrite> => {
  switch (decision.kind) {
    case "refuse":
      return refuseChange(ports, visit, decision.reason);
    case "keep":
      return keepRow(ports, visit, plan);
    case "drop":
      return dropRow(ports, visit, decision.reason ?? "state changed");
    case "missing":
      return markMissing(ports, visit);
  }
};

const keepRow = async (ports: Ports, visit: Visit, plan: Plan): Promise<RowWrite> => {
  const { row, index } = visit;
  const { templateId } = index.graph;
  return writeUnlocked(ports, visit, {
    templateId,
    ...(row === null ? {} : await resealTexts(ports, row, templateId)),
    requires: plan.requires,
    updateDone: visit.message.traversalId,
    checkFailed: false,
    replacedBy: null,
    // An update that changes nothing does not stop at the post-hook.
    ...(plan.hooks.has("post-update") ? { pause: passedHook(visit, "post-update") } : {}),
  });
};

/** The node fails, but the row is unchanged and keeps its status. */
const refuseChange = (ports: Ports, visit: Visit, reason: string): Promise<RowWrite> => {
  const { traversalId, isUpdate } = visit.message;
  return writeUnlocked(ports, visit, {
    failed: { traversalId, isUpdate },
    statusReason: reason,
    updatedAt: ports.clock.now(),
  });
};

/** A CHECK of a row that was never created, or whose last operation failed. */
const markMissing = (ports: Ports, visit: Visit): Promise<RowWrite> =>
  writeUnlocked(ports, visit, {
    updateDone: visit.message.traversalId,
    checkFailed: true,
    statusReason: whyMissing(visit.row, visit.node.name),
  });

const whyMissing = (row: Resource | null, name: string): string =>
  row?.status === "FAILED"
    ? row.statusReason
    : `Error: ${placeIn("resources", name)}: it has not been created`;

/** A row that ends without a call stays as a tombstone, because an older graph may name it. */
const dropRow = (ports: Ports, visit: Visit, statusReason: string): Promise<RowWrite> =>
  writeUnlocked(ports, visit, {
    action: "DELETE",
    status: "COMPLETE",
    statusReason,
    cleanupDone: visit.message.traversalId,
    updatedAt: ports.clock.now(),
    expiresAt: ports.clock.now() + TOMBSTONE_MS,
  });
