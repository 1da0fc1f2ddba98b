/** One record of a table's stream, parsed: a row's change, a stack's, or one of an item that makes no events. */
import type { DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import { fromAttributes } from "#functions/attribute-value.ts";
import type { StackEvent } from "#lib/convergence/model.ts";
import { resourceEvent, stackEvent } from "#lib/engine/project-events.ts";
import type { Ports } from "#lib/ports/ports.ts";

const status = z.enum(["IN_PROGRESS", "COMPLETE", "FAILED"]);
const STACK_ACTIONS = [
  "CREATE",
  "UPDATE",
  "DELETE",
  "ROLLBACK",
  "SUSPEND",
  "RESUME",
  "CHECK",
] as const;
const ROW_ACTIONS = ["INIT", "CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME", "CHECK"] as const;
const state = {
  tenant: z.string(),
  id: z.string(),
  name: z.string(),
  status,
  statusReason: z.string(),
};

const rowImage = z.object({
  ...state,
  stackId: z.string(),
  type: z.string(),
  version: z.number(),
  action: z.enum(ROW_ACTIONS),
  physicalResourceId: z.nullable(z.string()),
  signalReason: z.nullable(z.string()),
});

const stackImage = z.object({
  ...state,
  action: z.enum(STACK_ACTIONS),
  statusVersion: z.number(),
  traversalId: z.string(),
});

/** Null: no news. Times are the stream's, so that the events of a stack stand in the order of its changes. */
export const eventOf = (ports: Ports, record: DynamoDBRecord): StackEvent | null => {
  const { NewImage, OldImage, ApproximateCreationDateTime: seconds } = record.dynamodb ?? {};
  if (!NewImage) return null;
  const time = seconds === undefined ? ports.clock.now() : Math.round(seconds * 1000);
  const after = fromAttributes(NewImage);
  const before = OldImage ? fromAttributes(OldImage) : null;
  if ("signalReason" in after) {
    const oldImage = before && rowImage.parse(before);
    return resourceEvent(ports.ids, { oldImage, newImage: rowImage.parse(after), time });
  }
  if ("statusVersion" in after) {
    const oldImage = before && stackImage.parse(before);
    return stackEvent(ports.ids, { oldImage, newImage: stackImage.parse(after), time });
  }
  return null;
};
