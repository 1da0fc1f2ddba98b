/**
 * What a row is going to be when an update decides about it. A visit decides only about a row
 * without an operation (P3.3). So an operation that goes on now ends before: the update interrupts
 * it, or waits for it. A preview reckons with its success.
 */
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isInterruptible } from "#lib/stack/type-predicates.ts";

export type Fate =
  /** The update ends it: nobody but the outside could. */
  | "interrupted"
  /** The update waits for its end. */
  | "awaited";

export interface ForeseenRow {
  /** As a visit is going to find it. */
  readonly row: Resource;
  /** Null: nothing goes on. */
  readonly fate: Fate | null;
}

export const foreseeRow = async (ports: Ports, row: Resource): Promise<ForeseenRow> => {
  const { operation } = row;
  if (operation === null) return { row, fate: null };
  const type = await ports.resourceTypes.get(operation.type);
  const isInterrupted = type !== null && isInterruptible(type, operation);
  return isInterrupted
    ? { row: afterInterruption(row, operation), fate: "interrupted" }
    : { row: afterSuccess(row, operation), fate: "awaited" };
};

/** The row after a cleanup has ended its operation (P25). */
export const rowEndedForDelete = (row: Resource): Resource =>
  row.operation === null ? row : afterInterruption(row, row.operation);

/** As `interrupt` in operation.ts ends it, and `complete` records that. No DELETE is ended so. */
const afterInterruption = (row: Resource, operation: Operation): Resource => ({
  ...row,
  status: "FAILED",
  properties: row.templateId === null ? operation.properties : row.properties,
  operation: null,
});

/** As `complete` records it. The object's id and attributes are known only then. */
const afterSuccess = (row: Resource, operation: Operation): Resource => {
  const ended: Resource = { ...row, status: "COMPLETE", operation: null };
  const { action, templateId, properties, requires } = operation;
  switch (action) {
    case "CREATE":
    case "ADOPT":
    case "UPDATE":
      return { ...ended, templateId, properties, requires, replacedBy: null, health: null };
    case "CHECK":
      return { ...ended, health: null };
    case "DELETE":
      return { ...ended, physicalResourceId: null, properties: null, reference: null };
    default:
      return ended;
  }
};
