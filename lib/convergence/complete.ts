/**
 * The end of an operation (P4): one write by the worker that holds the lease. It depends on the
 * operation alone, so a worker of another traversal records the same end. A decision without an
 * operation, such as "keep", ends here too (`writeDecision`): one write on the row as read.
 */
import { type Health, healthOf, type Operation, type Resource } from "#lib/model/resource.ts";
import type { RowClause } from "#lib/ports/conditions.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import type { ResourceFields, RowWrite } from "#lib/ports/store.ts";
import {
  openReference,
  resealReference,
  resealTexts,
  sealReference,
} from "#lib/stack/record/reference.ts";
import { placeIn } from "#lib/template/format.ts";
import type { Acted } from "./act.ts";
import { writeUnlocked } from "./claim.ts";
import type { Decision } from "./decide.ts";
import { passedHook } from "./hook.ts";
import { REASON_CHARS_MAX, TOMBSTONE_MS } from "./limits.ts";
import type { Plan } from "./plan-update.ts";
import type { Visit } from "./visit.ts";

export type Ending = Extract<Progress, { state: "finished" | "failed" }>;

/** Too long a reason must not keep the row from being written (SB 2011188). */
export const shortReason = (reason: string): string => {
  if (reason.length <= REASON_CHARS_MAX) return reason;
  const half = REASON_CHARS_MAX / 2;
  return `${reason.slice(0, half - 5)} ... ${reason.slice(-half)}`;
};

const physicalIdAfter = (row: Resource, ending: Ending): string | null =>
  ending.physicalResourceId === undefined ? row.physicalResourceId : ending.physicalResourceId;

const referenceAfter = async (
  ports: Ports,
  row: Resource,
  { templateId }: Operation,
  ending: Ending,
) => {
  const physicalId = physicalIdAfter(row, ending);
  const { attributes } = ending;
  const refId = ending.state === "finished" ? ending.refId : undefined;
  if (attributes === undefined && refId === undefined && row.reference !== null)
    return resealReference(ports, row, templateId);
  const known = await openReference(ports, row);
  const reference = {
    refId: refId ?? (row.reference === null || attributes !== undefined ? physicalId : known.refId),
    attributes: attributes ?? known.attributes,
  };
  return sealReference(ports, row, reference, templateId);
};

export const takesTarget = (action: string): boolean =>
  action === "CREATE" || action === "ADOPT" || action === "UPDATE";

/** After a step (P27) the node is not done, so it gets no mark. */
const markOf = ({ traversalId, isUpdate, isStep }: Operation) => {
  if (isStep) return {};
  return isUpdate ? { updateDone: traversalId } : { cleanupDone: traversalId };
};

const NOT_LOOKED_AT = "it was off, and nobody has looked at it since";

/**
 * SUSPEND, RESUME and SNAPSHOT leave a finding such as "differs" as it is. An object that was found
 * stopped could not be compared, so after a start its health is unknown (P27).
 */
const healthAfter = (
  row: Resource,
  { action, traversalId, before }: Operation,
  ending: Ending,
): Health | null => {
  if (takesTarget(action)) return null;
  const health = healthOf({ ...row, ...before });
  const isOff = ending.state === "finished" && ending.isOff === true;
  if (action === "CHECK" && !isOff) return { state: "as made", what: "", seenBy: traversalId };
  if (health.state === "as made") return row.health;
  const isOther = health.state === "stopped" && action !== "SNAPSHOT";
  return isOther ? { state: "unknown", what: NOT_LOOKED_AT, seenBy: null } : health;
};

/** Any action may find that the object is gone. Other findings count only from a CHECK. */
const findingOf = (row: Resource, { action, traversalId, before }: Operation, ending: Ending) => {
  const found = ending.state === "failed" ? ending.health : undefined;
  const what = ending.state === "failed" ? ending.reason : "";
  if (action === "CHECK" || found === "gone") {
    return { state: found ?? "unknown", what: shortReason(what), seenBy: traversalId };
  }
  const health = healthOf({ ...row, ...before });
  return health.state === "as made" ? row.health : health;
};

const succeeded = async (
  ports: Ports,
  row: Resource,
  operation: Operation,
  ending: Ending,
): Promise<Partial<ResourceFields>> => {
  const common = { status: "COMPLETE" as const, statusReason: "state changed", failed: null };
  if (operation.action === "DELETE") {
    return {
      ...common,
      physicalResourceId: null,
      properties: null,
      reference: null,
      health: null,
      cleanupDone: operation.traversalId,
      expiresAt: ports.clock.now() + TOMBSTONE_MS,
    };
  }
  const physicalResourceId = physicalIdAfter(row, ending);
  const reference = await referenceAfter(ports, row, operation, ending);
  const mark = markOf(operation);
  const health = healthAfter(row, operation, ending);
  if (!takesTarget(operation.action)) {
    return { ...common, ...mark, physicalResourceId, reference, checkFailed: false, health };
  }
  return {
    ...common,
    ...mark,
    physicalResourceId,
    reference,
    checkFailed: false,
    health,
    templateId: operation.templateId,
    properties: operation.properties,
    requires: operation.requires,
    // A row that is in service again has no replacement (SB 2001974).
    replacedBy: null,
  };
};

const failureText = ({ name }: Resource, ending: Ending): string => {
  const own = placeIn("resources", name);
  if (ending.state !== "failed") return `Error: ${own}: `;
  const { errorType = "Error", below, reason } = ending;
  const place = below === undefined ? own : `${own}.${below}`;
  return [...(errorType === "" ? [] : [errorType]), place, reason].join(": ");
};

const FINDS_GONE: ReadonlySet<string> = new Set(["SUSPEND", "RESUME"]);

const failed = (row: Resource, operation: Operation, ending: Ending): Partial<ResourceFields> => {
  const becomesUnknown = ending.state === "failed" && ending.outcomeUnknown === true;
  const common = {
    status: "FAILED" as const,
    statusReason: shortReason(failureText(row, ending)),
    physicalResourceId: physicalIdAfter(row, ending),
    outcomeUnknown: row.outcomeUnknown || becomesUnknown,
    // An object that a user imports later (P18) has the policies of the template that made it.
    ...(becomesUnknown ? { templateId: operation.templateId } : {}),
    properties: row.templateId === null ? operation.properties : row.properties,
    health: findingOf(row, operation, ending),
  };
  // A CHECK that finds something wrong has done its work, so the node is done.
  if (operation.action === "CHECK") {
    return { ...common, ...markOf(operation), checkFailed: true };
  }
  // SUSPEND and RESUME can do nothing about an object that is gone, so their node is done too. A
  // step (P27) sets no mark, so its node decides again.
  const isFinding = common.health?.state === "gone" && FINDS_GONE.has(operation.action);
  if (isFinding) return { ...common, ...markOf(operation) };
  const { traversalId, isUpdate } = operation;
  return { ...common, failed: { traversalId, isUpdate } };
};

interface CompleteOptions {
  readonly also?: readonly RowClause[];
  readonly note?: string | undefined;
}

const noteOf = (ending: Ending): string | undefined =>
  ending.state === "finished" ? ending.note : undefined;

export const complete = async (
  ports: Ports,
  row: Resource,
  operation: Operation,
  ending: Ending,
  { also = [], note = noteOf(ending) }: CompleteOptions = {},
): Promise<RowWrite> => {
  const change =
    ending.state === "finished"
      ? await succeeded(ports, row, operation, ending)
      : failed(row, operation, ending);
  return ports.store.writeResource(
    { stackId: row.stackId, id: row.id },
    [{ clause: "leaseHeldBy", token: row.lease?.token ?? "" }, ...also],
    {
      set: {
        ...change,
        ...(note === undefined ? {} : { statusReason: shortReason(note) }),
        operation: null,
        lease: null,
        nextPollAt: null,
        updatedAt: ports.clock.now(),
      },
    },
  );
};

type WrittenDecision = Extract<Decision, { kind: "keep" | "drop" | "refuse" | "missing" }>;

/** The decisions that need one write on the row and no call of the provider (P3.1). */
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
