/**
 * Deletes the large values of removed items, also those that an item no longer pointed at. No item
 * is created again under the key of a removed one (P10), but an operator may restore one. So the
 * code checks first that the item does not exist.
 */
import type { DynamoDBRecord } from "aws-lambda";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { type RemovedItem, SPILLED_VALUES_MAX, type SpilledValues } from "#lib/ports/store.ts";

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

const dropPage = async (items: readonly RemovedItem[]): Promise<RemovedItem[]> => {
  const pages = await inParallel(
    items.map((item) => async () => ({ item, values: await item.listValues() })),
  );
  await inParallel(
    pages.flatMap(({ item, values }) => values.map((value) => () => item.deleteValue(value))),
  );
  return pages.flatMap(({ item, values }) => (values.length < SPILLED_VALUES_MAX ? [] : [item]));
};
