/** Which answers count as faults of ours: only these raise the alarm and roll a deployment back. */
import middy from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { expect, it } from "vitest";
import { publishMetrics } from "#functions/aws/metrics.ts";
import { answerErrors } from "#functions/middleware/answers.ts";
import { lambdaContext } from "#host/lambda-events.ts";
import { Bug, RetryLater } from "#lib/errors.ts";

it.each([
  ["a bug", new Bug("a right is missing"), 1],
  ["an error that nobody expected", new TypeError("x is undefined"), 1],
  ["a throttled table, or a plug-in that is away", new RetryLater("busy", 5), 0],
  ["the time limit of a request", new RetryLater("the time of the request is over", 5), 0],
])("%s counts as %o", async (_cause, error, faults) => {
  const counted: unknown[] = [];
  const failing = middy<unknown, APIGatewayProxyResult>(() => Promise.reject(error)).use(
    answerErrors("a request failed", () => ({})),
  );
  const add = (...fault: unknown[]) => counted.push(fault);
  const meter = { add, publish: () => undefined };
  await middy(failing).use(publishMetrics(meter))({}, lambdaContext("api", 10_000));
  expect(counted).toEqual(Array.from({ length: faults }, () => ["Faults", 1]));
});
