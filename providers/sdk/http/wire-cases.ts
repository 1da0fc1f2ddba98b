import { type Case, createdAgain } from "../kit/cases.ts";
import { Broken } from "../kit/one-call.ts";
import type { Stage } from "../kit/stage.ts";
import type { Call, JsonObject } from "../provider.ts";
import { readAnswer } from "../read-answer.ts";
import {
  BODY_BYTES_MAX,
  CLOCK_SECONDS_MAX,
  DESCRIBE_PATH,
  operationPath,
  REFUSALS,
  type Refusal,
  SIGNATURE_HEADER,
  signatureOf,
  TIME_HEADER,
} from "./protocol.ts";
import { nextTime, type RemoteAddress, sendSigned } from "./signed-request.ts";

interface RawRequest {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly body: string;
  readonly time: string;
  readonly signature: string;
}

const ANSWER_MS_MAX = 60_000;
const OTHER_SECRET = "this is the secret of somebody else, not yours";

const dataOf = (stage: Stage, { signal, ...data }: Call): string =>
  JSON.stringify({ type: stage.typeName, ...data });

const sign = (
  secret: string,
  { method, path, body }: Pick<RawRequest, "method" | "path" | "body">,
  time = nextTime(),
): RawRequest => {
  const signature = signatureOf(secret, { method, path, time, body });
  return { method, path, body, time, signature };
};

const send = (url: string, { method, path, body, time, signature }: RawRequest) =>
  fetch(url + path, {
    method,
    headers: { [TIME_HEADER]: time, [SIGNATURE_HEADER]: signature },
    ...(body === "" ? {} : { body }),
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });

const statusOf = async (url: string, request: RawRequest): Promise<number> => {
  const response = await send(url, request);
  await response.body?.cancel();
  return response.status;
};

const expectStatus = async (
  url: string,
  what: string,
  request: RawRequest,
  code: Refusal,
): Promise<void> => {
  const status = await statusOf(url, request);
  if (status === REFUSALS[code]) return;
  throw new Broken(`${what} got the status ${status} instead of ${REFUSALS[code]}`);
};

const expectCount = async (stage: Stage, count: number): Promise<void> => {
  const found = await stage.objects();
  if (found.length !== count) {
    throw new Broken(`there are ${found.length} objects instead of ${count}`);
  }
};

const creation = (stage: Stage, properties: JsonObject) => {
  const { subject, call } = stage.creation(properties);
  const path = operationPath(call.token);
  return { subject, call, request: { method: "PUT" as const, path, body: dataOf(stage, call) } };
};

const signatures =
  ({ url, secret }: RemoteAddress): Case["play"] =>
  async (stage, { properties }) => {
    const { request } = creation(stage, properties);
    const { body } = request;
    const good = sign(secret, request);
    const far = String(Date.now() - 2 * CLOCK_SECONDS_MAX * 1_000);
    const forged: readonly [string, RawRequest, Refusal][] = [
      ["a request without a signature", { ...good, signature: "" }, "wrong_signature"],
      ["another secret", sign(OTHER_SECRET, request), "wrong_signature"],
      ["another body", { ...good, body: `${body} ` }, "wrong_signature"],
      ["another path", { ...good, path: `${good.path}x` }, "wrong_signature"],
      ["another time", { ...good, time: String(Number(good.time) + 1) }, "wrong_signature"],
      ["another method", { ...good, method: "POST" }, "wrong_signature"],
      ["an old request", sign(secret, request, far), "wrong_time"],
    ];
    for (const [what, one, code] of forged) await expectStatus(url, what, one, code);
    const asking = { method: "GET" as const, path: DESCRIBE_PATH, body: "" };
    await expectStatus(url, "a stranger", sign(OTHER_SECRET, asking), "wrong_signature");
    await expectCount(stage, 0);
    return { seen: `${forged.length} forged requests were refused, and nothing was made` };
  };

const replays =
  ({ url, secret }: RemoteAddress): Case["play"] =>
  async (stage, { properties }) => {
    const { call, request } = creation(stage, properties);
    const early = sign(secret, request);
    const first = sign(secret, request);
    const response = await send(url, first);
    const answer = readAnswer(stage.type, call, await response.json());
    await stage.settle(call, async () => answer);
    await expectStatus(url, "the same request once more", first, "replayed");
    await expectStatus(url, "a request that was overtaken", early, "replayed");
    await expectCount(stage, 1);
    return { seen: "a request that came twice was done once" };
  };

const cuts =
  ({ url, secret }: RemoteAddress): Case["play"] =>
  async (stage, { properties }) => {
    const { subject, call, request } = creation(stage, properties);
    if (stage.type.tokens === "ignored") return { why: "the provider ignores tokens" };
    const body: unknown = JSON.parse(request.body);
    const cut = { ...request, body, signal: AbortSignal.timeout(1) };
    await sendSigned({ url, secret }, cut).catch(() => undefined);
    const answered = await send(url, sign(secret, request));
    await answered.body?.cancel();
    await createdAgain(stage, subject, call);
    await expectCount(stage, 1);
    return { seen: "the answer was not read, and there is one object" };
  };

const sizes =
  ({ url, secret }: RemoteAddress): Case["play"] =>
  async (stage, { properties }) => {
    const { request } = creation(stage, properties);
    const body = request.body + " ".repeat(BODY_BYTES_MAX);
    const large = sign(secret, { ...request, body });
    const status = await statusOf(url, large).catch(() => REFUSALS.too_large);
    if (status !== REFUSALS.too_large) throw new Broken(`a large body got the status ${status}`);
    await expectCount(stage, 0);
    return { seen: "a body that is too large was refused" };
  };

const nonsense =
  ({ url, secret }: RemoteAddress): Case["play"] =>
  async (stage, { properties }) => {
    const { request, call } = creation(stage, properties);
    const other = JSON.stringify({ ...JSON.parse(dataOf(stage, call)), type: "No::Such" });
    const wrong: readonly [string, RawRequest, Refusal][] = [
      ["half a document", sign(secret, { ...request, body: "{" }), "bad_request"],
      ["a document without a call", sign(secret, { ...request, body: "{}" }), "bad_request"],
      ["an unknown type", sign(secret, { ...request, body: other }), "unknown_type"],
      ["an unknown path", sign(secret, { ...request, path: "/v1/nothing" }), "not_found"],
    ];
    for (const [what, one, code] of wrong) await expectStatus(url, what, one, code);
    await expectCount(stage, 0);
    return { seen: `${wrong.length} wrong requests were refused` };
  };

export const wireCases = (address: RemoteAddress): readonly Case[] => [
  { name: "signature", play: signatures(address) },
  { name: "replay", play: replays(address) },
  { name: "cut connection", play: cuts(address) },
  { name: "large body", play: sizes(address) },
  { name: "wrong request", play: nonsense(address) },
];
