/** Which answers count as faults of ours: only these page, and take a deployment back. */
import { expect, it } from "vitest";
import { countingFaults } from "#functions/aws/entry.ts";
import { proxyResult } from "#functions/http-event.ts";
import { lambdaContext } from "#host/lambda-events.ts";
import { answer } from "#lib/api/errors.ts";
import { Bug, RetryLater } from "#lib/errors.ts";

it.each([
  ["a bug", new Bug("a right is missing"), 1],
  ["an error that nobody expected", new TypeError("x is undefined"), 1],
  ["a throttled table, or a plug-in that is away", new RetryLater("busy", 5), 0],
  ["the time limit of a request", new RetryLater("the time of the request is over", 5), 0],
])("%s counts as %o", async (_cause, error, faults) => {
  const counted: unknown[] = [];
  const failing = async () => {
    const response = await answer(
      () => Promise.reject(error),
      () => undefined,
    );
    return proxyResult(response);
  };
  const add = (...fault: unknown[]) => counted.push(fault);
  await countingFaults(failing, { add })({}, lambdaContext("api", 10_000));
  expect(counted).toEqual(Array.from({ length: faults }, () => ["Faults", 1]));
});
