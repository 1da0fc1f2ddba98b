import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { pollOf } from "#functions/http-event.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { PollMemory } from "#lib/software-config/diagnosis/poll-memory.ts";
import { IN_TIME } from "../middleware/answers.ts";
import { answerPoll, aroundPolls } from "./answer-poll.ts";

const serverIdOf = ({ pathParameters }: APIGatewayProxyEvent): string =>
  pathParameters?.["server_id"] ?? "";

export const handler = (ports: Ports, memory: PollMemory | null = null) =>
  middy(IN_TIME)
    .use(aroundPolls(serverIdOf))
    .handler(
      (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
        answerPoll(ports, memory, serverIdOf(event), pollOf(event)),
    );
