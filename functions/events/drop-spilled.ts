/**
 * Deletes the large values of items that are gone. Also those go that the item no longer pointed
 * at. No item is made again under the key of a removed one (P10), but an operator may restore one.
 */
import type { DynamoDBRecord } from "aws-lambda";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import {
  type RemovedItem,
  SPILLED_VALUES_MAX,
  type SpilledValues,
} from "#lib/ports/spilled-values.ts";

export const dropSpilled = async (
  spilled: SpilledValues,
  records: readonly DynamoDBRecord[],
): Promise<void> => {
  const removed = records.flatMap(({ eventName, dynamodb = {} }) =>
    eventName === "REMOVE" ? (spilled.removedItem(dynamodb) ?? []) : [],
  );
  const absent = await inParallel(
    removed.map((item) => async () => ((await item.exists()) ? [] : [item])),
  );
  for (let open = absent.flat(); open.length > 0; ) open = await dropPage(open);
};

/** Deletes a page of each item's values. Returns the items that may have more. */
const dropPage = async (items: readonly RemovedItem[]): Promise<RemovedItem[]> => {
  const pages = await inParallel(
    items.map((item) => async () => ({ item, values: await item.listValues() })),
  );
  await inParallel(
    pages.flatMap(({ item, values }) => values.map((value) => () => item.deleteValue(value))),
  );
  return pages.flatMap(({ item, values }) => (values.length < SPILLED_VALUES_MAX ? [] : [item]));
};
