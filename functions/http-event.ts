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

export const singleQueryOf = (event: APIGatewayProxyEvent): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(queryOf(event)).map(([name, values]) => [name, values.at(-1)]));

export type Headers = Readonly<Record<string, string | undefined>>;

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1];
};

export const pollOf = (event: APIGatewayProxyEvent): PollRequest => ({
  method: event.httpMethod,
  query: singleQueryOf(event),
  ifNoneMatch: headerOf(event.headers, "If-None-Match"),
  sender: {
    address: event.requestContext.identity.sourceIp,
    agent: headerOf(event.headers, "User-Agent") ?? null,
  },
});

/**
 * An answer without a body needs a content type. API Gateway labels an untyped one as JSON, and
 * OpenStack clients complain about empty JSON.
 */
export const proxyResult = ({ status, headers, body }: ApiResponse): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { ...(body === null ? { "Content-Type": "text/plain" } : {}), ...headers },
  body: body ?? "",
});
