/**
 * The functions of a stage in this process, behind a server in place of API Gateway: their
 * handlers, the adapters of AWS, and DynamoDB, SQS and S3 in memory. A request is answered only
 * when its messages have been handled, so nothing runs at the same time.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { handler as api } from "#functions/api/handler.ts";
import { knownCaller } from "#functions/api/identity.ts";
import { tokenHash } from "#functions/authorizer/credential.ts";
import { handler as authorizer } from "#functions/authorizer/handler.ts";
import { handler as metadata } from "#functions/metadata/handler.ts";
import { askAuthorizer } from "#functions/middleware/ask-authorizer.ts";
import { handler as signal } from "#functions/signal/handler.ts";
import { lambdaContext, proxyEvent } from "#host/lambda-events.ts";
import { failures, queueHandlers } from "#host/queue-poller.ts";
import { openClients } from "#lib/adapters/aws/clients.ts";
import { openAws } from "#lib/adapters/aws/open-aws.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, hmacSigner, systemClock, uuidIds } from "#lib/adapters/node/platform.ts";
import { parseMessage } from "#lib/convergence/messages.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";
import { type Batch, openReceiver } from "../../tools/bench/cost/receiver.ts";
import { observeStore } from "../../tools/bench/cost/stream.ts";
import { openInProcessTarget } from "../aws/in-process/target.ts";
import type { AwsTarget } from "../contract/aws-emulators.ts";
import { attack, OWNER, STRANGER } from "./attack.ts";
import { itemRows } from "./item-rows.ts";
import { sender, signerOfAnotherHost } from "./play-strangers.ts";

const VISIT_MS_MAX = 60_000;
const REQUEST_MS_MAX = 29_000;
const KID = "double";
const SECRET = new Uint8Array(32).fill(3);
const TOKENS = { [OWNER]: "token-of-the-owner", [STRANGER]: "token-of-the-stranger" };
const RECORDS = new Map(
  Object.entries(TOKENS).map(([tenant, token]) => [
    tokenHash(token),
    { tenant, rights: {}, expiresAt: null },
  ]),
);

type Lambda = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

const openEngine = ({ connection, place }: AwsTarget, publicUrl: string) => {
  const adapter = openAws({ ...connection, ...place });
  const receiver = openReceiver(connection, place);
  const [clock, ids, retention] = [systemClock(), uuidIds(), retentionOf()];
  const observed = observeStore({ ...adapter, clock, retention }, ids);
  const { softwareConfigs, queue, blobs, uploads, fakeProvider } = adapter;
  const unbound: Omit<Ports, "resourceTypes"> = {
    store: observed.store,
    softwareConfigs,
    queue,
    blobs,
    // The functions do not check presigned URLs (S3 does), so none is signed here.
    uploads: {
      ...uploads,
      open: async ({ id }) => ({ url: `https://s3.invalid/${id}`, headers: {} }),
    },
    clock,
    ids,
    signer: hmacSigner([{ kid: KID, secret: SECRET }]),
    cipher: aesCipher(SECRET),
    publicUrl,
    retention,
  };
  const ports = withResourceTypes(unbound, (engine) =>
    resourceTypes({ engine, random: cryptoRandom(), fakeProvider }),
  );
  const handlers = queueHandlers(ports);
  const handle = async ({ queue: name, messages }: Batch): Promise<void> => {
    const received = messages.map(({ MessageId = "", ReceiptHandle = "", Body = "" }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      tenant: "",
      body: Body,
      receiveCount: 1,
      sentAt: Date.now(),
      sourceQueue: null,
    }));
    const given = { queue: name, handler: handlers[name], limitMs: VISIT_MS_MAX };
    const failed = await failures(given, received);
    const again = received.filter(({ messageId }) => failed.has(messageId));
    await queue.send(
      name,
      again.map(({ body }) => parseMessage(body)),
      1,
    );
  };
  const settle = async (): Promise<void> => {
    const batches = await receiver.receiveAll();
    for (const batch of batches) {
      await handle(batch);
      await receiver.remove(batch);
    }
    await observed.flush();
    if (batches.length > 0) await settle();
  };
  return { ports, settle };
};

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const gateway = ({ ports, settle }: ReturnType<typeof openEngine>) => {
  const { clock } = ports;
  const tokens = { get: async (hash: string) => RECORDS.get(hash) ?? null };
  const answerApi = middy(api(ports, { revision: "double" }, knownCaller({}))).use(
    askAuthorizer(authorizer(tokens, clock)),
  );
  const routes: readonly (readonly [RegExp, string, Lambda])[] = [
    [/^\/v1\/agent\/metadata\/([^/]+)$/, "server_id", metadata(ports)],
    [/^\/v1\/agent\/signal\/([^/]+)$/, "derived_id", signal(ports)],
    [/^/, "proxy", answerApi],
  ];
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname: path, searchParams: search } = new URL(request.url ?? "/", "http://gateway");
    const [pattern, name, lambda] = routes.find(([one]) => one.test(path)) ?? routes[2] ?? [];
    const id = pattern?.exec(path)?.[1];
    const event = proxyEvent({
      method: request.method ?? "GET",
      path,
      search,
      headers: headersOf(request),
      pathParameters: id === undefined ? {} : { [name ?? ""]: id },
      body: await text(request),
    });
    const answer = await lambda?.(event, lambdaContext("double", REQUEST_MS_MAX));
    await settle();
    response.writeHead(
      answer?.statusCode ?? 500,
      Object.entries(answer?.headers ?? {}).flatMap(([header, value]) => [header, String(value)]),
    );
    response.end(answer?.body ?? "");
  };
};

export const playCloud = async (
  requests: number,
  seed: number,
  fail: (at: number, fault: string) => void,
): Promise<number> => {
  const target = await openInProcessTarget();
  const clients = openClients(target.connection);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const engine = openEngine(target, url);
  const answer = gateway(engine);
  server.on("request", (request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const items = async (): Promise<ReadonlyMap<string, readonly object[]>> =>
    new Map(
      await Promise.all(
        Object.entries(target.place.tables).map(async ([name, TableName]) => {
          const { Items = [] } = await clients.dynamo.send(new ScanCommand({ TableName }));
          return [name, Items] as const;
        }),
      ),
    );
  try {
    const arena = {
      send: sender(url, TOKENS),
      signers: { own: engine.ports.signer, ofAnotherHost: signerOfAnotherHost(KID) },
      strangersToken: TOKENS[STRANGER] ?? "",
      rows: async (texts: readonly string[]) => itemRows(await items(), texts),
    };
    return await attack(arena, requests, seed, fail);
  } finally {
    server.close();
    server.closeAllConnections();
    clients.close();
  }
};
