/**
 * An answer that Lambda does not let through would be a failure of the function: a 500 without words, and an
 * alarm. It is Hearth who refuses it instead, and says what to ask for.
 */
import type { APIGatewayProxyResult } from "aws-lambda";
import { proxyResult } from "#functions/http-event.ts";
import { logger } from "#functions/logger.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { Entry } from "./entry.ts";

/** Lambda's limit of the whole answer as JSON, in which each quote of the body counts twice. */
export const ANSWER_BYTES_MAX = 6 * 1024 * 1024;
/** Of a UTF-16 unit as JSON. */
const BYTES_PER_UNIT_MAX = 6;

const fits = (result: APIGatewayProxyResult): boolean =>
  (result.body.length + JSON.stringify(result.headers ?? {}).length) * BYTES_PER_UNIT_MAX <
    ANSWER_BYTES_MAX || Buffer.byteLength(JSON.stringify(result)) <= ANSWER_BYTES_MAX;

export const withinAnswerLimit =
  <Event>(handler: Entry<Event, APIGatewayProxyResult>): Entry<Event, APIGatewayProxyResult> =>
  async (event, context) => {
    const result = await handler(event, context);
    if (fits(result)) return result;
    logger.info("an answer is too large", { characters: result.body.length });
    const message = `Request limit exceeded: the answer is larger than ${ANSWER_BYTES_MAX} bytes. Ask for less: lists take limit and marker.`;
    return proxyResult(faultResponse(400, "RequestLimitExceeded", message));
  };
