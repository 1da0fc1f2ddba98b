import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import { fromAttributes } from "#functions/attribute-value.ts";
import { eventsOfChange } from "#lib/engine/events/project-events.ts";
import type { RetiringPorts } from "#lib/engine/stacks/retire-stack.ts";
import { RESOURCE_ACTIONS, STACK_ACTIONS, STATUSES } from "#lib/model/action.ts";
import type { Change, ResourceImage, StackEvent, StackImage } from "#lib/model/event.ts";
import { stackOfPartition } from "#lib/model/row-partitions.ts";
import type { Ports } from "#lib/ports/ports.ts";

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
