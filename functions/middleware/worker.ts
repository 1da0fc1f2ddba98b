/** What the engine needs around a function in Lambda: keys before each event, metrics after it. */
import type { MiddlewareObj } from "@middy/core";
import type { PublishingMeter } from "#functions/meter.ts";

export const freshKeys = (refresh: () => Promise<void>): MiddlewareObj => ({
  before: () => refresh(),
});

/** A 503 is no fault: its client comes again. */
const isFault = (answer: unknown): boolean =>
  typeof answer === "object" &&
  answer !== null &&
  "statusCode" in answer &&
  answer.statusCode === 500;

/** Counts the answers that are a fault of ours, and writes what even a failed event has added. */
export const publishMetrics = (meter: PublishingMeter): MiddlewareObj => ({
  after: ({ response }) => {
    if (isFault(response)) meter.add("Faults", 1);
    meter.publish();
  },
  onError: () => meter.publish(),
});
