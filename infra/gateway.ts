/**
 * API Gateway's own limits, for all tenants together. Each method of a stage has its own token
 * bucket, and agents' routes also have their own rate.
 */
import {
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  ResponseType,
  type RestApi,
  type StageOptions,
} from "aws-cdk-lib/aws-apigateway";
import { faultResponse, REQUEST_ID_HEADER } from "#lib/api/errors.ts";
import type { Settings } from "./settings.ts";

/**
 * Requests a second of agents that use the API: signals, and polls of older URLs.
 * @limit requests a second of agents at the API, twice that at once
 * @beyond 429 from API Gateway
 */
const AGENT_RATE = 500;
/**
 * Requests a second without a credential: the console's files and the list of versions. Each is
 * paid, so this limits what a stranger can make the operator pay.
 * @limit requests a second for the console's files, and for each list of versions, without a token
 * @beyond 429 from API Gateway
 */
const OPEN_RATE = 20;
const BURST_SECONDS = 2;

/** API Gateway limits a single verb. A limit for ANY would match no request. */
const AGENT_METHODS = [
  "/v1/agent/metadata/{server_id}/GET",
  "/v1/agent/metadata/{server_id}/HEAD",
  "/v1/agent/signal/{derived_id}/POST",
  "/v1/agent/signal/{derived_id}/PUT",
];

const OPEN_METHODS = ["//GET", "/v1/GET", "/console/{proxy+}/GET"];

const limited = (rate: number) => ({
  throttlingRateLimit: rate,
  throttlingBurstLimit: rate * BURST_SECONDS,
});

/** The settings of a single method replace all of the stage's settings. */
export const methodSettings = ({ apiRate }: Settings): StageOptions => {
  const common = {
    // Execution logs may quote a request's URL, and API Gateway never deletes their log group.
    loggingLevel: MethodLoggingLevel.OFF,
    dataTraceEnabled: false,
    // Detailed metrics would be five paid metrics for each method and route. The API's own are free
    // and sufficient.
    metricsEnabled: false,
  } satisfies MethodDeploymentOptions;
  const ofAgents = { ...common, ...limited(AGENT_RATE) };
  const ofEverybody = { ...common, ...limited(Math.min(OPEN_RATE, apiRate)) };
  const methodOptions = Object.fromEntries([
    ...AGENT_METHODS.map((path) => [path, ofAgents] as const),
    ...OPEN_METHODS.map((path) => [path, ofEverybody] as const),
  ]);
  return { ...common, ...limited(apiRate), methodOptions };
};

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
