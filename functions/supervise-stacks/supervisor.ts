/**
 * Watches stack operations. Each has one execution, which ends with the operation or wakes at its
 * deadline.
 */
import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import { STATUSES } from "#lib/model/action.ts";
import { logger } from "../logger.ts";
import type { Meter } from "../meter.ts";
import { fromAttributes } from "../stream-batch.ts";

interface TraversalRef {
  readonly tenant: string;
  readonly stackId: string;
  readonly traversalId: string;
}

export interface Watch extends TraversalRef {
  readonly timeoutSeconds: number;
}

export type StackEnd = "COMPLETE" | "FAILED" | "OVERTAKEN";

export interface Supervisor {
  start(watch: Watch): Promise<void>;
  /** Stores the token that ends the watch. A later token of the same traversal replaces it. */
  putToken(traversalId: string, token: string): Promise<void>;
  getToken(traversalId: string): Promise<string | null>;
  /** Ending a watch that has ended changes nothing. */
  end(token: string, outcome: StackEnd): Promise<void>;
}

export type Starter = Pick<Supervisor, "start" | "getToken" | "end">;
export type Ender = Pick<Supervisor, "putToken" | "end">;

const stackImage = z.object({
  tenant: z.string(),
  id: z.string(),
  traversalId: z.string(),
  status: z.enum(STATUSES),
  deadline: z.number(),
  timeoutMins: z.number(),
});
type WatchedImage = z.infer<typeof stackImage>;

interface WatchChange {
  readonly start: Watch | null;
  readonly end: TraversalEnd | null;
}

interface TraversalEnd {
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

/** @returns a function that records the end. Call it once for each change */
export const keepWatch = async (
  supervisor: Starter,
  meter: Meter,
  change: WatchChange | null,
): Promise<() => void> => {
  if (change?.end) await endWatch(supervisor, change.end);
  if (change?.start) await supervisor.start(change.start);
  return () => {
    if (!change?.end) return;
    logger.info("a stack operation ended", { ...change.end });
    meter.add("TraversalSeconds", change.end.seconds, change.end.outcome);
  };
};

const endWatch = async (supervisor: Starter, end: TraversalEnd): Promise<void> => {
  const token = await supervisor.getToken(end.traversalId);
  if (token !== null) await supervisor.end(token, end.outcome);
};
