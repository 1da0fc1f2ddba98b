import type { MiddlewareObj } from "@middy/core";
import type { PublishingMeter } from "#functions/meter.ts";

export const freshKeys = (refresh: () => Promise<void>): MiddlewareObj => ({
  before: () => refresh(),
});

/** A 503 is not a fault, because the client retries. */
const isFault = (answer: unknown): boolean =>
  typeof answer === "object" &&
  answer !== null &&
  "statusCode" in answer &&
  answer.statusCode === 500;

export const publishMetrics = (meter: PublishingMeter): MiddlewareObj => ({
  after: ({ response }) => {
    if (isFault(response)) meter.add("Faults", 1);
    meter.publish();
  },
  onError: () => meter.publish(),
});
