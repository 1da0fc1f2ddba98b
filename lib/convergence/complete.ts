/**
 * P4, the end of an operation: one write by the worker that holds the lease. The write depends on
 * the operation alone, so a worker of another traversal records the same.
 */
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { RowClause } from "#lib/ports/conditions.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Progress } from "#lib/ports/resource-type.ts";
import type { ResourceFields, RowWrite } from "#lib/ports/store.ts";
import { openReference, resealReference, sealReference } from "#lib/stack/reference.ts";
import { placeIn } from "#lib/template/format.ts";
import { REASON_CHARS_MAX, TOMBSTONE_MS } from "./limits.ts";

export type Ending = Extract<Progress, { state: "finished" | "failed" }>;

/** Too long a reason must not keep a row from being written (SB 2011188). It loses its middle. */
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

/** If such an action succeeds, the row gets the target's template, properties and requires. */
export const takesTarget = (action: string): boolean =>
  action === "CREATE" || action === "ADOPT" || action === "UPDATE";

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
      cleanupDone: operation.traversalId,
      expiresAt: ports.clock.now() + TOMBSTONE_MS,
    };
  }
  const physicalResourceId = physicalIdAfter(row, ending);
  const reference = await referenceAfter(ports, row, operation, ending);
  const mark = operation.isUpdate
    ? { updateDone: operation.traversalId }
    : { cleanupDone: operation.traversalId };
  if (!takesTarget(operation.action)) {
    return { ...common, ...mark, physicalResourceId, reference, checkFailed: false };
  }
  return {
    ...common,
    ...mark,
    physicalResourceId,
    reference,
    checkFailed: false,
    templateId: operation.templateId,
    properties: operation.properties,
    requires: operation.requires,
    // A row that is in service again has no replacement (SB 2001974).
    replacedBy: null,
  };
};

/** As Heat writes it: the class, the place and the text. */
const failureText = ({ name }: Resource, ending: Ending): string => {
  const own = placeIn("resources", name);
  if (ending.state !== "failed") return `Error: ${own}: `;
  const { errorType = "Error", below, reason } = ending;
  const place = below === undefined ? own : `${own}.${below}`;
  return [...(errorType === "" ? [] : [errorType]), place, reason].join(": ");
};

const failed = (row: Resource, operation: Operation, ending: Ending): Partial<ResourceFields> => {
  const becomesUnknown = ending.state === "failed" && ending.outcomeUnknown === true;
  const common = {
    status: "FAILED" as const,
    statusReason: shortReason(failureText(row, ending)),
    physicalResourceId: physicalIdAfter(row, ending),
    outcomeUnknown: row.outcomeUnknown || becomesUnknown,
    // P18: an object that a user imports has the policies of the template that made it.
    ...(becomesUnknown ? { templateId: operation.templateId } : {}),
    // Before the first success, a delete or a repair has only the attempted properties.
    properties: row.templateId === null ? operation.properties : row.properties,
  };
  // A finding is the result of a CHECK, not its failure: the node is done.
  if (operation.action === "CHECK") {
    return { ...common, updateDone: operation.traversalId, checkFailed: true };
  }
  const { traversalId, isUpdate } = operation;
  return { ...common, failed: { traversalId, isUpdate } };
};

export interface CompleteOptions {
  /** If a deadline or an interruption ends the operation: "signals as read". */
  readonly also?: readonly RowClause[];
  /** The status reason, instead of the usual text. */
  readonly note?: string | undefined;
}

const noteOf = (ending: Ending): string | undefined =>
  ending.state === "finished" ? ending.note : undefined;

/** If the write is refused, nothing is written. */
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
