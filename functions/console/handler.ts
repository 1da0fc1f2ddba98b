/** The console's files, behind a REST proxy integration. They need no token. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { CONSOLE_PREFIX, openConsole } from "./answer-console.ts";
import type { ConsoleFiles } from "./files-in.ts";

/** The path of an event may begin with a stage or with a mapping of the operator's. */
export const handler = (read: () => ConsoleFiles | null) => {
  const answer = openConsole(read);
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
