/** Makes Lambda's events from local data, so that the handlers get the same input as on AWS. */
import type { APIGatewayProxyEvent, Context, ScheduledEvent, SQSEvent } from "aws-lambda";
import type { Rights } from "#lib/ports/ports.ts";
import type { ReceivedMessage } from "#lib/ports/queue.ts";

const ACCOUNT = "000000000000";
const REGION = "local";

export const lambdaContext = (functionName: string, limitMs: number): Context => {
  const end = performance.now() + limitMs;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${functionName}`,
    memoryLimitInMB: "0",
    awsRequestId: crypto.randomUUID(),
    logGroupName: functionName,
    logStreamName: functionName,
    getRemainingTimeInMillis: () => Math.max(0, end - performance.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
};

export const sqsEvent = (queue: string, messages: readonly ReceivedMessage[]): SQSEvent => ({
  Records: messages.map((message) => ({
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      SenderId: ACCOUNT,
      ApproximateFirstReceiveTimestamp: String(message.sentAt),
      ...(message.sourceQueue === null
        ? {}
        : { DeadLetterQueueSourceArn: queueArn(message.sourceQueue) }),
    },
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: queueArn(queue),
    awsRegion: REGION,
  })),
});

const queueArn = (queue: string): string => `arn:aws:sqs:${REGION}:${ACCOUNT}:${queue}`;

export const scheduledEvent = (now: number): ScheduledEvent => ({
  id: crypto.randomUUID(),
  version: "0",
  account: ACCOUNT,
  time: new Date(now).toISOString(),
  region: REGION,
  resources: [],
  source: "aws.events",
  "detail-type": "Scheduled Event",
  detail: {},
});

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly sender?: string;
  readonly tenant?: string | undefined;
  readonly tokenId?: string | null;
  readonly rights?: Rights;
}

export const proxyEvent = (request: HttpRequest): APIGatewayProxyEvent => {
  const names = [...new Set(request.search.keys())];
  return {
    httpMethod: request.method,
    path: request.path,
    resource: "/{proxy+}",
    headers: { ...request.headers },
    multiValueHeaders: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters: Object.fromEntries(request.search),
    multiValueQueryStringParameters: Object.fromEntries(
      names.map((name) => [name, request.search.getAll(name)]),
    ),
    pathParameters: { ...request.pathParameters },
    stageVariables: null,
    body: request.body,
    isBase64Encoded: false,
    requestContext: requestContext(request),
  };
};

const requestContext = ({
  method,
  path,
  sender = "127.0.0.1",
  tenant,
  tokenId,
  rights,
}: HttpRequest): APIGatewayProxyEvent["requestContext"] => ({
  accountId: ACCOUNT,
  apiId: "local",
  authorizer: tenant === undefined ? null : { tenant, tokenId, ...rights },
  protocol: "HTTP/1.1",
  httpMethod: method,
  path,
  stage: "local",
  requestId: crypto.randomUUID(),
  requestTimeEpoch: Date.now(),
  resourceId: "local",
  resourcePath: "/{proxy+}",
  identity: {
    accessKey: null,
    accountId: null,
    apiKey: null,
    apiKeyId: null,
    caller: null,
    clientCert: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp: sender,
    user: null,
    userAgent: null,
    userArn: null,
  },
});
