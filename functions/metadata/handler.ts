/** Where agents poll for their server's metadata document, behind a REST proxy integration. */
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { pollOf, proxyResult } from "#functions/http-event.ts";
import { ENDS_ITSELF } from "#functions/in-time.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { PollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { answerPoll } from "./answer-poll.ts";

export const handler = (ports: Ports, memory: PollMemory | null = null) =>
  middy(async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const serverId = event.pathParameters?.["server_id"] ?? "";
    return proxyResult(await answerPoll({ ports, memory, context }, serverId, pollOf(event)));
  }, ENDS_ITSELF);
