import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { eventsOfChange } from "#lib/engine/events/project-events.ts";
import type { RetiringPorts } from "#lib/engine/stacks/retire-stack.ts";
import { RESOURCE_ACTIONS, STACK_ACTIONS, STATUSES } from "#lib/model/action.ts";
import type { Change, ResourceImage, StackEvent, StackImage } from "#lib/model/event.ts";
import { stackOfPartition } from "#lib/model/row-partitions.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { type RemovedItem, SPILLED_VALUES_MAX, type SpilledValues } from "#lib/ports/store.ts";
import { fromAttributes } from "../stream-batch.ts";

const TOO_LARGE = "(too large to be told in an event)";
/**
 * A user's value may be so large that the item contains only a pointer to it
 * (lib/adapters/aws/spill.ts). Such an item must not delay the events of later changes.
 */
const text = z.union([
  z.string(),
  z.object({ spilled: z.string(), kind: z.string() }).transform(() => TOO_LARGE),
]);
const status = z.enum(STATUSES);
const state = {
  tenant: z.string(),
  id: z.string(),
  name: text,
  status,
  statusReason: text,
};

const moment = z.nullable(z.number()).default(null);

const rowImage = z.object({
  ...state,
  stackId: z.string().transform(stackOfPartition),
  type: text,
  version: z.number(),
  number: z.number().default(0),
  generation: z.number(),
  action: z.enum(RESOURCE_ACTIONS),
  physicalResourceId: z.nullable(text),
  signalReason: z.nullable(text),
  signalId: z.nullable(z.string()).default(null),
  updatedAt: z.number().default(0),
}) satisfies z.ZodType<ResourceImage>;

const stackImage = z.object({
  ...state,
  action: z.enum(STACK_ACTIONS),
  statusVersion: z.number(),
  traversalId: z.string(),
  traversalNumber: z.number().default(0),
  actor: z.nullable(z.string()).default(null),
  createdAt: z.number().default(0),
  updatedAt: moment,
  endedAt: moment,
}) satisfies z.ZodType<StackImage>;

export interface EventPorts extends RetiringPorts, Pick<Ports, "ids"> {}

const SECOND_MS = 1_000;

const changeIn = ({ dynamodb: { NewImage, OldImage } = {} }: DynamoDBRecord): Change | null => {
  if (!NewImage) return null;
  if ("signalReason" in NewImage) {
    const oldImage = OldImage ? rowImage.parse(fromAttributes(OldImage)) : null;
    return { table: "resources", oldImage, newImage: rowImage.parse(fromAttributes(NewImage)) };
  }
  if (!("statusVersion" in NewImage)) return null;
  const oldImage = OldImage ? stackImage.parse(fromAttributes(OldImage)) : null;
  return { table: "stacks", oldImage, newImage: stackImage.parse(fromAttributes(NewImage)) };
};

export const eventsOf = (
  ports: Pick<EventPorts, "clock" | "ids">,
  record: DynamoDBRecord,
): readonly StackEvent[] => {
  const change = changeIn(record);
  if (change === null) return [];
  const seconds = record.dynamodb?.ApproximateCreationDateTime;
  const fedAt = seconds === undefined ? ports.clock.now() : Math.round(seconds * SECOND_MS);
  return eventsOfChange(ports.ids, change, fedAt);
};

/**
 * Deletes the large values of removed items, also those that an item no longer pointed at. No item
 * is created again under the key of a removed one (P10), but an operator may restore one. So the
 * code checks first that the item does not exist.
 */
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
