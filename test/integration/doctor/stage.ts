/**
 * A Hearth over HTTP for tests, without pollers or sweeper. Its clock can be moved, and it requires
 * API tokens.
 */
import { BlockList } from "node:net";
import { handler as apiHandler } from "#functions/api/handler.ts";
import { tokenHash } from "#functions/authorizer/credential.ts";
import { handler as authorizer } from "#functions/authorizer/handler.ts";
import { STACK_BODY_BYTES_MAX } from "#functions/body-limits.ts";
import { proxyResult } from "#functions/http-event.ts";
import { handler as metadataHandler } from "#functions/metadata/handler.ts";
import { handler as sweepHandler } from "#functions/sweep/handler.ts";
import { noAccessLog } from "#host/access-log.ts";
import { openBodyRoom } from "#host/body-room.ts";
import type { Answer } from "#host/exchange.ts";
import { openGuard, ownNames } from "#host/guard.ts";
import { startHttpServer } from "#host/http-server.ts";
import {
  type HttpRequest,
  lambdaContext,
  proxyEvent,
  scheduledEvent,
} from "#host/lambda-events.ts";
import { memoryUploads } from "#lib/adapters/memory/blobs.ts";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { cryptoRandom, hmacSigner, uuidIds } from "#lib/adapters/node/platform.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqliteFakeProvider } from "#lib/adapters/sqlite/fake-provider.ts";
import { loadOrCreateKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import { openSqlite, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { Clock, Ports } from "#lib/ports/ports.ts";
import { resourceTypes, withResourceTypes } from "#lib/resources/registry.ts";
import { retentionOf } from "#lib/stack/retention.ts";

export const TOKEN = "good-token";
const PROJECT = "demo";
const METADATA = /^\/v1\/agent\/metadata\/([^/]+)$/;
const CONTEXT = lambdaContext("doctor", 30_000);

export interface StageOptions {
  readonly publicUrl?: string;
  /** The embedded host accepts requests without tokens. */
  readonly withoutTokens?: boolean;
}

export interface Stage {
  readonly url: string;
  readonly ports: Ports;
  readonly database: SqliteAdapter;
  moveClock(ms: number): void;
  revokeToken(): void;
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

export const openStage = async (options: StageOptions = {}): Promise<Stage> => {
  let aheadMs = 0;
  const clock = { now: () => Date.now() + aheadMs };
  const tokens = new Map([[tokenHash(TOKEN), { tenant: PROJECT, expiresAt: null, rights: {} }]]);
  const tokenStore = { get: async (hash: string) => tokens.get(hash) ?? null };
  const database = openSqlite(IN_MEMORY, clock);
  const fakeProvider = openSqliteFakeProvider(IN_MEMORY, clock);
  const authorize = options.withoutTokens ? null : authorizer(tokenStore, clock);
  const server = await startHttpServer({ address: "127.0.0.1", port: 0 }, null);
  const url = `http://127.0.0.1:${server.port}`;
  const publicUrl = options.publicUrl ?? url;
  const unbound = { ...portsOf(database, clock), publicUrl };
  const ports = withResourceTypes(unbound, (engine) =>
    resourceTypes({ engine, random: cryptoRandom(), fakeProvider }),
  );
  const names = ownNames(url, url, []);
  server.serveWith({
    listener: "api",
    proxies: new BlockList(),
    guard: openGuard({ names, onlyProxies: false, isSecure: false }),
    answer: answerRequests(ports, authorize),
    log: noAccessLog,
    stackBytesMax: STACK_BODY_BYTES_MAX,
    bodyRoom: openBodyRoom(),
  });
  return {
    url,
    ports,
    database,
    moveClock: (ms) => {
      aheadMs += ms;
    },
    revokeToken: () => tokens.clear(),
    sweep: () => sweepHandler(ports)(scheduledEvent(clock.now()), CONTEXT),
    stop: async () => {
      await server.stop();
      database.close();
      fakeProvider.close();
    },
  };
};

const portsOf = (
  { store, softwareConfigs, queue, blobs }: SqliteAdapter,
  clock: Clock,
): Omit<Ports, "resourceTypes" | "publicUrl"> => {
  const keys = loadOrCreateKeys(IN_MEMORY);
  return {
    store,
    softwareConfigs,
    queue,
    blobs,
    clock,
    uploads: memoryUploads(),
    ids: uuidIds(),
    signer: hmacSigner(keys.signing),
    cipher: aesCipher(keys.encryption),
    retention: retentionOf(),
  };
};

/** Like API Gateway: without a valid token 401, another project's 403. Null means accepted. */
const refusalOf = async (
  authorize: ReturnType<typeof authorizer>,
  request: HttpRequest,
): Promise<401 | 403 | null> => {
  const { requestContext, ...proxied } = proxyEvent(request);
  const event = {
    ...proxied,
    type: "REQUEST" as const,
    methodArn: "arn",
    requestContext: { ...requestContext, authorizer: undefined },
  };
  try {
    const { policyDocument } = await authorize(event);
    return policyDocument.Statement[0]?.Effect === "Allow" ? null : 403;
  } catch {
    return 401;
  }
};

const answerRequests = (ports: Ports, authorize: ReturnType<typeof authorizer> | null): Answer => {
  const api = apiHandler(ports, { revision: "tested" });
  const metadata = metadataHandler(ports);
  return async (asked) => {
    const serverId = METADATA.exec(asked.path)?.[1];
    const request = {
      ...asked,
      pathParameters: serverId === undefined ? {} : { server_id: serverId },
    };
    if (serverId !== undefined) return metadata(proxyEvent(request), CONTEXT);
    if (asked.path !== "/" && authorize !== null) {
      const refusal = await refusalOf(authorize, request);
      if (refusal !== null) return proxyResult(faultResponse(refusal, "Refused"));
    }
    return api(proxyEvent(request), CONTEXT);
  };
};
