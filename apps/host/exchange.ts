/** Handles one request of a listener: checks its head, reads the body, answers and logs it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import type { APIGatewayProxyResult } from "aws-lambda";
import { bodyBytesMaxOf, bodyTooLarge } from "#functions/body-limits.ts";
import { proxyResult } from "#functions/http-event.ts";
import { faultResponse, REQUEST_ID_HEADER, requestIdOf } from "#lib/api/errors.ts";
import { RequestError } from "#lib/errors.ts";
import type { AccessEntry, AccessLog } from "./access-log.ts";
import type { BodyPlace, BodyRoom, BodyShare } from "./body-room.ts";
import type { ChangeStreams } from "./change-streams.ts";
import { type Admission, type Guard, type RequestHead, senderOf } from "./guard.ts";
import type { HttpRequest } from "./lambda-events.ts";
import { failureAnswer, hasNoBody, isSignedPath } from "./routes.ts";

export type Answer = (
  request: Omit<HttpRequest, "pathParameters">,
) => Promise<APIGatewayProxyResult>;

export type Signer =
  | { readonly kind: "not signed" }
  | { readonly kind: "signed"; readonly tenant: string }
  | { readonly kind: "refused"; readonly result: APIGatewayProxyResult };

export type SignedHead = Omit<HttpRequest, "pathParameters" | "body" | "tenant">;

export interface Exchange {
  readonly listener: AccessEntry["listener"];
  readonly proxies: BlockList;
  readonly guard: Guard;
  readonly answer: Answer;
  readonly findStream?: ChangeStreams["find"];
  readonly findSigner?: (request: SignedHead) => Promise<Signer>;
  readonly log: AccessLog;
  readonly stackBytesMax: number;
  readonly bodyRoom: BodyRoom;
}

const outOfService = async (error: unknown): Promise<Admission> => ({
  refusal: { reason: "out-of-service", result: await failureAnswer(error) },
  tenant: null,
  tokenId: null,
  rights: {},
});

/** Calls `answering` once the request is read, so that a stop can wait for its answer. */
export const handleRequest = async (
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  answering: () => void,
): Promise<void> => {
  const [path = "/", ...queries] = (request.url ?? "/").split("?");
  const search = queries.join("?");
  const place = exchange.bodyRoom.open(isSignedPath(path));
  // A client may read its answer slowly or not at all, or may disconnect before it is made. The
  // room is freed when both the connection and the work have ended.
  const closed = new Promise((resolve) => response.once("close", resolve));
  const handled = handleWith(place, exchange, { path, search, request }, response, answering);
  void Promise.allSettled([closed, handled]).then(place.end);
  await handled;
};

interface Received {
  readonly path: string;
  readonly search: string;
  readonly request: IncomingMessage;
}

const handleWith = async (
  place: BodyPlace,
  { listener, proxies, guard, answer, findStream, findSigner, log, stackBytesMax }: Exchange,
  { path, search, request }: Received,
  response: ServerResponse,
  answering: () => void,
): Promise<void> => {
  const { method = "GET" } = request;
  const head = { path, headers: singleHeaders(request), sender: senderOf(request, proxies) };
  const record = (admission: Admission, status: number): void =>
    log.add({ ...entryOf(head, admission, status), at: Date.now(), listener, method });

  const admit = () => guard(head).catch(outOfService);
  const admission = await admit();
  if (admission.refusal !== null) {
    const { result } = admission.refusal;
    record(admission, result.statusCode);
    sendUnread(request, response, result);
    return;
  }
  const { rights } = admission;
  // A stream reports the changes of all stacks, so a token for one stack cannot have it.
  const stream = rights.stack === undefined ? (findStream?.(method, path) ?? null) : null;
  if (stream !== null) {
    record(admission, 200);
    discardBody(request);
    stream(response, async () => (await admit()).refusal === null);
    return;
  }
  const parsed = new URLSearchParams(search);
  const { headers, sender } = head;
  const { tokenId } = admission;
  const who = { tenant: admission.tenant ?? undefined, tokenId, rights };
  const asked = { method, path, search: parsed, headers, sender: sender.address, ...who };
  const signer = (await findSigner?.(asked)) ?? { kind: "not signed" };
  if (signer.kind === "refused") {
    record(admission, signer.result.statusCode);
    sendUnread(request, response, signer.result);
    return;
  }
  const share = place.of(signer.kind === "signed" ? signer.tenant : (who.tenant ?? ""));
  const bytesMax = bodyBytesMaxOf(path, stackBytesMax);
  const isUnread = hasNoBody(path);
  const body = isUnread ? NO_BODY : await readBody(request, response, bytesMax, share);
  if (body === "too large" || body === "no room") {
    const refusal = body === "no room" ? NO_ROOM : bodyTooLarge(bytesMax);
    record(admission, refusal.status);
    sendUnread(request, response, bodyRefused(refusal));
    return;
  }
  answering();
  const result = await answer({ ...asked, body: body.text });
  // The client of a write must learn what the write has done, so only a read is refused here.
  const hasRoom = share.resize(result.body.length) || method !== "GET";
  const sent = hasRoom ? result : bodyRefused(NO_ROOM);
  record(admission, sent.statusCode);
  if (isUnread) sendUnread(request, response, sent);
  else send(response, sent, method);
};

const NO_BODY = { text: null } as const;

/**
 * On a signed route these count as refusals: the URL names nothing that exists, or the method is
 * not allowed.
 */
const SIGNED_REFUSALS: ReadonlySet<number> = new Set([404, 405, 410]);

const isRefusal = (path: string, status: number): boolean =>
  status === 401 || status === 403 || (isSignedPath(path) && SIGNED_REFUSALS.has(status));

const entryOf = (
  { path, sender }: RequestHead,
  { refusal, tenant, tokenId }: Admission,
  status: number,
) => ({
  remote: sender.address,
  path,
  status,
  project: tenant,
  token: tokenId,
  reason: refusal?.reason ?? (isRefusal(path, status) ? "refused-by-route" : null),
});

const singleHeaders = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

/** The body must be read, or the connection would be reset before the client sees the answer. */
const DISCARDED_BYTES_MAX = 8 * 1024 * 1024;

const discardBody = (request: IncomingMessage): void => {
  let bytes = 0;
  request.on("data", (chunk: Buffer | string) => {
    bytes += chunk.length;
    if (bytes > DISCARDED_BYTES_MAX) request.destroy();
  });
  request.on("error", () => undefined);
  request.resume();
};

/** A client that announces a body and does not send it loses its connection after this time. */
const UNSENT_BODY_MS_MAX = 2_000;

const sendUnread = (
  request: IncomingMessage,
  response: ServerResponse,
  result: APIGatewayProxyResult,
): void => {
  // After the refusal the client may send its body or omit it, so nobody knows where the next
  // request would begin.
  if (waitsForContinue(request)) response.setHeader("Connection", "close");
  discardBody(request);
  const unsent = setTimeout(() => request.destroy(), UNSENT_BODY_MS_MAX);
  request.on("data", () => unsent.refresh());
  for (const over of ["end", "close"]) request.once(over, () => clearTimeout(unsent));
  send(response, result, request.method);
};

const waitsForContinue = ({ headers }: IncomingMessage): boolean =>
  headers.expect?.toLowerCase() === "100-continue";

const NO_ROOM = new RequestError(
  "HTTPServiceUnavailable",
  503,
  "Too many large requests and answers are sent at once. Try again.",
);

const bodyRefused = ({ status, code, message }: RequestError): APIGatewayProxyResult =>
  proxyResult(faultResponse(status, code, message, status === 503 ? { "Retry-After": "1" } : {}));

/** V8 needs about this much for each piece of a concatenated text. */
const CHUNK_BYTES = 40;

const readBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  share: BodyShare,
): Promise<"too large" | "no room" | { readonly text: string | null }> => {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) return "too large";
  if (waitsForContinue(request)) response.writeContinue();
  return new Promise((resolve, reject) => {
    // Decodes each chunk at once. Otherwise a long body's bytes would be in memory beside its text.
    request.setEncoding("utf8");
    let text = "";
    let [bytes, chunks] = [0, 0];
    request.on("data", (chunk: string) => {
      bytes += Buffer.byteLength(chunk);
      chunks += 1;
      text += chunk;
      const isTooLarge = bytes > bytesMax;
      if (!isTooLarge && share.resize(bytes + chunks * CHUNK_BYTES)) return;
      text = "";
      request.pause();
      request.removeAllListeners("data");
      resolve(isTooLarge ? "too large" : "no room");
    });
    request.on("end", () => {
      const whole = bytes === 0 ? null : text;
      // These listeners stay in memory while the request is answered.
      text = "";
      resolve({ text: whole });
    });
    request.on("error", reject);
  });
};

const send = (
  response: ServerResponse,
  result: APIGatewayProxyResult,
  method: string | undefined,
): void => {
  const { statusCode } = result;
  const body = result.isBase64Encoded === true ? Buffer.from(result.body, "base64") : result.body;
  response.setHeader(REQUEST_ID_HEADER, requestIdOf(crypto.randomUUID()));
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    response.setHeader(name, String(value));
  }
  const bare = method === "HEAD" || statusCode === 204 || statusCode === 304;
  if (!bare) response.setHeader("Content-Length", Buffer.byteLength(body));
  response.writeHead(statusCode);
  response.end(bare ? undefined : body);
};
