import * as z from "zod/mini";
import { MEMBER_OF, OPTIONAL_FUNCTIONS } from "../members.ts";
import type { Call, ProvidedType, Provider } from "../provider.ts";
import {
  CLOCK_SECONDS_MAX,
  callSchema,
  DESCRIBE_PATH,
  isSignedBy,
  LIST_PATH,
  listSchema,
  operationPath,
  REFUSALS,
  type Refusal,
  SIGNATURE_HEADER,
  TIME_HEADER,
  waitingCallSchema,
} from "./protocol.ts";

interface GivenRequest {
  readonly method: string;
  readonly path: string;
  readonly header: (name: string) => string;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

export interface GivenReply {
  readonly status: number;
  readonly value: unknown;
}

export interface Served {
  readonly provider: Provider;
  readonly secrets: readonly string[];
  readonly seen: SeenRequests;
  readonly now: () => number;
}

const OK = 200;

class Refused extends Error {
  readonly code: Refusal;
  constructor(code: Refusal) {
    super(code);
    this.code = code;
  }
}

export const refusal = (code: Refusal): GivenReply => ({
  status: REFUSALS[code],
  value: { error: code },
});

const checkSignature = (
  { secrets, now }: Served,
  { method, path, header, body }: GivenRequest,
): number => {
  const time = header(TIME_HEADER);
  const signature = header(SIGNATURE_HEADER);
  const parts = { method, path, time, body };
  const isSigned = secrets.some((secret) => isSignedBy(secret, signature, parts));
  if (!isSigned) throw new Refused("wrong_signature");
  const isNear = Math.abs(now() - Number(time)) <= CLOCK_SECONDS_MAX * 1_000;
  if (!isNear) throw new Refused("wrong_time");
  return Number(time);
};

const read = <Schema extends z.ZodMiniType>(schema: Schema, body: Uint8Array): z.infer<Schema> => {
  try {
    return z.parse(schema, JSON.parse(new TextDecoder().decode(body)));
  } catch {
    throw new Refused("bad_request");
  }
};

const typeIn = ({ types }: Provider, name: string): ProvidedType => {
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (type === undefined) throw new Refused("unknown_type");
  return type;
};

const describe = ({ provider, name, types }: Provider) => ({
  protocol: provider,
  name,
  types: Object.fromEntries(
    Object.entries(types).map(([type, given]) => {
      const functions = OPTIONAL_FUNCTIONS.filter((member) => given[member] !== undefined);
      const { description, properties, attributes, tokens, uniqueBy } = given;
      const { callSecondsMax, operationSecondsMax, repairable, restore } = given;
      const limits = { callSecondsMax, operationSecondsMax };
      const described = { description, properties, attributes, tokens, uniqueBy, functions };
      return [type, { ...described, ...limits, repairable, restore }];
    }),
  ),
});

type Work = (type: ProvidedType) => Promise<unknown> | undefined;

const workOf = (what: string, body: Uint8Array, signal: AbortSignal): readonly [Asked, Work] => {
  if (what === "poll") {
    const asked = read(waitingCallSchema, body);
    const call = { ...asked, physicalId: asked.physicalId ?? "", signal };
    return [asked, ({ poll }) => poll?.(call)];
  }
  const asked = read(callSchema, body);
  const call: Call = { ...asked, signal };
  const object = { ...call, physicalId: call.physicalId ?? "" };
  if (what === "find") return [asked, ({ find }) => find?.(call)];
  if (what === "cancel") return [asked, ({ cancel }) => cancel?.(object).then(() => null)];
  return [asked, (type) => type[MEMBER_OF[asked.action]]?.(object)];
};

type Asked = z.infer<typeof callSchema>;

const answerOf = async (work: () => Promise<unknown>): Promise<GivenReply> => {
  try {
    return { status: OK, value: await work() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { status: OK, value: { state: "failed", reason } };
  }
};

const operate = async (served: Served, given: GivenRequest, time: number): Promise<GivenReply> => {
  const { provider, seen, now } = served;
  const { method, path, body, signal } = given;
  const what = method === "POST" ? path.slice(path.lastIndexOf("/") + 1) : "";
  const [asked, work] = workOf(what, body, signal);
  const { token, type: name } = asked;
  if (path !== operationPath(token) + (what === "" ? "" : `/${what}`))
    throw new Refused("not_found");
  const type = typeIn(provider, name);
  const admitted = seen.admit(token, time, now());
  if (admitted !== "admitted") throw new Refused(admitted);
  try {
    return await answerOf(async () => work(type));
  } finally {
    seen.end(token);
  }
};

const list = async ({ provider }: Served, body: Uint8Array): Promise<GivenReply> => {
  const { type, properties } = read(listSchema, body);
  return { status: OK, value: (await typeIn(provider, type).list?.(properties)) ?? [] };
};

const OPERATION = /^\/v1\/operations\/[^/]+(?:\/(?:poll|find|cancel))?$/;

const routed = async (served: Served, given: GivenRequest): Promise<GivenReply> => {
  const time = checkSignature(served, given);
  const { method, path, body } = given;
  if (method === "GET" && path === DESCRIBE_PATH) {
    return { status: OK, value: describe(served.provider) };
  }
  if (method === "POST" && path === LIST_PATH) return list(served, body);
  const isOperation = method === (/\/(?:poll|find|cancel)$/.test(path) ? "POST" : "PUT");
  if (isOperation && OPERATION.test(path)) return operate(served, given, time);
  throw new Refused("not_found");
};

export const answerRequest = async (served: Served, given: GivenRequest): Promise<GivenReply> => {
  try {
    return await routed(served, given);
  } catch (error) {
    if (error instanceof Refused) return refusal(error.code);
    throw error;
  }
};

const TOKENS_MAX = 100_000;
/** After this time the check of the clock (CLOCK_SECONDS_MAX) refuses the same request. */
const KEPT_MS = 2 * CLOCK_SECONDS_MAX * 1_000;

interface Seen {
  readonly time: number;
  readonly until: number;
}

/**
 * Protects a server against replays. It remembers for each token whether a request is running, and
 * the time of the latest one. So nobody can send a recorded request again, and a delayed request
 * cannot run after a later one of the same token.
 */
export class SeenRequests {
  readonly #seen = new Map<string, Seen>();
  readonly #running = new Set<string>();

  /** After "admitted" the caller must call `end`. */
  admit(token: string, time: number, now: number): "admitted" | "replayed" | "busy" | "too_many" {
    this.#forget(now);
    const seen = this.#seen.get(token);
    if (seen !== undefined && time <= seen.time) return "replayed";
    if (this.#running.has(token)) return "busy";
    if (seen === undefined && this.#seen.size >= TOKENS_MAX) return "too_many";
    // Deleting first keeps the map ordered by `until`, which `#forget` relies on.
    this.#seen.delete(token);
    this.#seen.set(token, { time, until: now + KEPT_MS });
    this.#running.add(token);
    return "admitted";
  }

  end(token: string): void {
    this.#running.delete(token);
  }

  #forget(now: number): void {
    for (const [token, { until }] of this.#seen) {
      if (until > now) return;
      this.#seen.delete(token);
    }
  }
}
