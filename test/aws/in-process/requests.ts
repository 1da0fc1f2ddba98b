import type { Bound, Compiled } from "./conditions.ts";
import { refused } from "./refusals.ts";
import type { Stored } from "./stored-table.ts";
import type { Item } from "./values.ts";

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;

export const writeUnits = (...items: readonly (Stored | undefined)[]): number =>
  Math.max(1, ...items.map((item) => Math.ceil((item?.bytes ?? 0) / WRITE_UNIT_BYTES)));

export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) / (consistent ? 1 : 2);

interface Asked {
  readonly ReturnConsumedCapacity?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}

export const consumed = ({ ReturnConsumedCapacity }: Asked, TableName: string, units: number) =>
  ReturnConsumedCapacity === "TOTAL"
    ? { ConsumedCapacity: { TableName, CapacityUnits: units } }
    : {};

export const consumedBatch = (
  { ReturnConsumedCapacity }: Asked,
  units: ReadonlyMap<string, number>,
) =>
  ReturnConsumedCapacity === "TOTAL"
    ? {
        ConsumedCapacity: [...units].map(([TableName, CapacityUnits]) => ({
          TableName,
          CapacityUnits,
        })),
      }
    : {};

/** As in DynamoDB, a placeholder that no expression uses is an error. */
export const boundIn = (
  { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} }: Asked,
  ...expressions: readonly (Compiled<unknown> | undefined)[]
): Bound => {
  for (const word of [...Object.keys(names), ...Object.keys(values)])
    if (!expressions.some((expression) => expression?.placeholders.has(word)))
      throw refused(`${word} is bound and not used`);
  return { names, values };
};
