import * as z from "zod/mini";
import { MEMBER_OF, OPTIONAL_FUNCTIONS } from "../members.ts";
import type { Call, ProvidedType, Provider } from "../provider.ts";
import {
  CLOCK_SECONDS_MAX,
  callSchema,
  DESCRIBE_PATH,
  LIST_PATH,
  listSchema,
  operationPath,
  REFUSALS,
  type Refusal,
  SIGNATURE_HEADER,
  TIME_HEADER,
  waitingCallSchema,
} from "./protocol.ts";
import type { SeenRequests } from "./seen-requests.ts";
import { isSignedBy } from "./signature.ts";

export interface GivenRequest {
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
    return { status: OK, value: { state: "failed", reason: `${reason}` } };
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
