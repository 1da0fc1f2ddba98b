/**
 * What a row will be when an update decides about it. A visit decides only about a row without an
 * operation (P3.3), so the update first interrupts it or waits for it. A preview assumes that an
 * awaited operation succeeds.
 */
import type { Operation, Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isInterruptible } from "#lib/stack/type-predicates.ts";

export type Fate =
  /** The update ends the operation, which waits for something outside. */
  | "interrupted"
  /** The update waits for the end of the operation. */
  | "awaited";

export interface ForeseenRow {
  readonly row: Resource;
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

export const rowEndedForDelete = (row: Resource): Resource =>
  row.operation === null ? row : afterInterruption(row, row.operation);

/** The row as `interrupt` (operation.ts) and `complete` leave it. A DELETE never ends like this. */
const afterInterruption = (row: Resource, operation: Operation): Resource => ({
  ...row,
  status: "FAILED",
  properties: row.templateId === null ? operation.properties : row.properties,
  operation: null,
});

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
