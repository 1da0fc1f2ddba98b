/** The parts of a REST proxy event that more than one handler reads, and the answer in its shape. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { ApiResponse } from "#lib/api/http.ts";
import type { Query } from "#lib/api/query.ts";
import type { PollRequest } from "#lib/software-config/document/serve-metadata.ts";

export const bodyText = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string | null =>
  body !== null && isBase64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;

export const queryOf = (event: APIGatewayProxyEvent): Query => {
  const lists = Object.entries(event.multiValueQueryStringParameters ?? {});
  return Object.fromEntries(lists.map(([name, values]) => [name, values ?? []]));
};

/** For the signed URLs, where each key may stand only once: the last one counts. */
export const singleQueryOf = (event: APIGatewayProxyEvent): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(queryOf(event)).map(([name, values]) => [name, values.at(-1)]));

export const headerOf = (event: APIGatewayProxyEvent, name: string): string | undefined => {
  const wanted = name.toLowerCase();
  return Object.entries(event.headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
};

/** The sender is whom the gateway sees, be it a proxy. */
export const pollOf = (event: APIGatewayProxyEvent): PollRequest => ({
  method: event.httpMethod,
  query: singleQueryOf(event),
  ifNoneMatch: headerOf(event, "If-None-Match"),
  sender: {
    address: event.requestContext.identity.sourceIp,
    agent: headerOf(event, "User-Agent") ?? null,
  },
});

/**
 * An answer without a body says what it is not: API Gateway calls whatever has no type JSON, and the OpenStack
 * clients complain of every empty text that calls itself so.
 */
export const proxyResult = ({ status, headers, body }: ApiResponse): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { ...(body === null ? { "Content-Type": "text/plain" } : {}), ...headers },
  body: body ?? "",
});
