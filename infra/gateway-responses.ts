import { ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";
import { faultResponse } from "#lib/api/errors.ts";
import { REQUEST_ID_HEADER } from "#lib/api/request-id.ts";

interface Refusal {
  readonly type: ResponseType;
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const REFUSALS: readonly Refusal[] = [
  { type: ResponseType.UNAUTHORIZED, status: 401, error: "HTTPUnauthorized" },
  { type: ResponseType.ACCESS_DENIED, status: 403, error: "Forbidden" },
  { type: ResponseType.INVALID_SIGNATURE, status: 403, error: "Forbidden" },
  { type: ResponseType.EXPIRED_TOKEN, status: 403, error: "Forbidden" },
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, status: 404, error: "HTTPNotFound" },
  { type: ResponseType.REQUEST_TOO_LARGE, status: 413, error: "RequestEntityTooLarge" },
  {
    type: ResponseType.THROTTLED,
    status: 429,
    error: "OverLimit",
    // The stage's token bucket refills all the time. The inner quotes make the value a literal.
    headers: { "Retry-After": "'1'" },
  },
  { type: ResponseType.INTEGRATION_TIMEOUT, status: 503, error: "HTTPServiceUnavailable" },
  {
    // No function has answered. Most often the account's concurrency is used up for a moment.
    type: ResponseType.DEFAULT_5XX,
    status: 503,
    error: "HTTPServiceUnavailable",
    headers: { "Retry-After": "'5'" },
  },
];

export const addGatewayResponses = (rest: RestApi): void => {
  for (const { type, status, error, headers } of REFUSALS) {
    rest.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      responseHeaders: { ...headers, [REQUEST_ID_HEADER]: "context.requestId" },
      templates: { "application/json": faultResponse(status, error).body ?? "" },
    });
  }
};
