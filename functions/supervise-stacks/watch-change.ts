import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import { fromAttributes } from "#functions/attribute-value.ts";
import { STATUSES } from "#lib/model/action.ts";
import type { StackEnd, Watch } from "./supervisor.ts";

const stackImage = z.object({
  tenant: z.string(),
  id: z.string(),
  traversalId: z.string(),
  status: z.enum(STATUSES),
  deadline: z.number(),
  timeoutMins: z.number(),
});
type WatchedImage = z.infer<typeof stackImage>;

export interface WatchChange {
  readonly start: Watch | null;
  readonly end: TraversalEnd | null;
}

export interface TraversalEnd {
  readonly stackId: string;
  readonly traversalId: string;
  readonly outcome: StackEnd;
  readonly seconds: number;
}

const TIMEOUT_SECONDS_MIN = 1;

/** Only stacks have this attribute. Their table contains other items too. */
const parseImage = (image: DynamoDBImage): WatchedImage | null =>
  image && "statusVersion" in image ? stackImage.parse(fromAttributes(image)) : null;
type DynamoDBImage = NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"];

export const watchChange = (record: DynamoDBRecord, now: number): WatchChange | null => {
  const after = parseImage(record.dynamodb?.NewImage);
  if (after === null) return null;
  const before = parseImage(record.dynamodb?.OldImage);
  const isNew = before?.traversalId !== after.traversalId;
  return {
    start: isNew && after.status === "IN_PROGRESS" ? watchOf(after, now) : null,
    end: endOf(before, after, isNew, now),
  };
};

const watchOf = ({ tenant, id, traversalId, deadline }: WatchedImage, now: number): Watch => ({
  tenant,
  stackId: id,
  traversalId,
  timeoutSeconds: Math.max(Math.ceil((deadline - now) / 1_000), TIMEOUT_SECONDS_MIN),
});

const endOf = (
  before: WatchedImage | null,
  after: WatchedImage,
  isNew: boolean,
  now: number,
): TraversalEnd | null => {
  if (before === null || before.status !== "IN_PROGRESS") return null;
  const acceptedAt = before.deadline - before.timeoutMins * 60_000;
  const seconds = Math.max(Math.round((now - acceptedAt) / 1_000), 0);
  const end = { stackId: before.id, traversalId: before.traversalId, seconds };
  if (isNew) return { ...end, outcome: "OVERTAKEN" };
  return after.status === "IN_PROGRESS" ? null : { ...end, outcome: after.status };
};
