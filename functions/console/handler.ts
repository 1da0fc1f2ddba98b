import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { CONSOLE_PREFIX, type ConsoleFiles, notFound, openConsole } from "./answer-console.ts";

/**
 * The handler uses the path parameter, because an event's path may begin with a stage or with an
 * operator's base path mapping. A deployment without the console answers 404, because the alarms
 * would count another answer as an error.
 */
export const handler = (read: () => ConsoleFiles | null) => {
  const answer = openConsole(read, notFound);
  return async ({
    httpMethod: method,
    pathParameters,
    headers,
  }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> =>
    answer({
      method,
      path: `${CONSOLE_PREFIX}${pathParameters?.["proxy"] ?? ""}`,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value ?? ""]),
      ),
    });
};
