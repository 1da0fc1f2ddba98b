import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod";
import type { SetAside } from "./set-aside.ts";

const CALL_BYTES_MAX = 4 * 1024 * 1024;

const answerShape = z.object({ batchItemFailures: z.array(z.unknown()) });

const inCalls = (records: readonly object[]): readonly (readonly object[])[] => {
  const calls: object[][] = [];
  let room = 0;
  for (const record of records) {
    const bytes = JSON.stringify(record).length;
    if (bytes > room) {
      calls.push([]);
      room = CALL_BYTES_MAX;
    }
    calls.at(-1)?.push(record);
    room -= bytes;
  }
  return calls;
};

/**
 * Both functions accept a record twice.
 * @returns why the call failed, or null if it succeeded
 */
export const playAgain = async (
  lambda: LambdaClient,
  { functionArn }: SetAside,
  records: readonly object[],
): Promise<string | null> => {
  for (const Records of inCalls(records)) {
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName: functionArn, Payload: JSON.stringify({ Records }) }),
    );
    const text = Payload?.transformToString() ?? "";
    if (FunctionError !== undefined) return text;
    const { batchItemFailures } = answerShape.parse(JSON.parse(text));
    if (batchItemFailures.length > 0) return "records failed again; the function's log says why";
  }
  return null;
};
