import * as z from "zod/mini";
import { AnswerLost } from "../errors.ts";
import type { Call, JsonObject, Provider } from "../provider.ts";
import { Garbage } from "../read-answer.ts";
import { INTERFACE_VERSIONS, NoProvider, readProvider } from "../read-provider.ts";
import { readValue } from "../read-value.ts";
import {
  DESCRIBE_PATH,
  type Description,
  descriptionSchema,
  idsSchema,
  LIST_PATH,
  operationPath,
} from "./protocol.ts";
import { NotSent, type RemoteAddress, type SentRequest, sendSigned } from "./signed-request.ts";

const REQUEST_MS_MAX = 30_000;

type RemoteType = Description["types"][string];

const ask = async (address: RemoteAddress, request: SentRequest): Promise<unknown> => {
  const reply = await sendSigned(address, request);
  return "throttled" in reply ? { state: "throttled", ...reply.throttled } : reply.value;
};

const dataOf = (type: string, { signal, ...data }: Call) => ({ type, ...data });

/** Hearth does not repeat a call if tokens are ignored, so the error says that nothing was done. */
const orNotDone = async <T>(type: RemoteType, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NotSent) || type.tokens !== "ignored") throw error;
    throw new Error(`nothing was done: ${error.message}`, { cause: error });
  }
};

const reasonIn = (answer: unknown): string =>
  typeof answer === "object" && answer !== null && "reason" in answer
    ? String(answer.reason)
    : "something else than null";

const functionsOf = (address: RemoteAddress, name: string, type: RemoteType) => {
  const put = (call: Call): Promise<unknown> => {
    const { token, signal } = call;
    const request = { path: operationPath(token), body: dataOf(name, call), signal };
    return orNotDone(type, ask(address, { method: "PUT", ...request }));
  };
  const post =
    (what: string) =>
    (call: Call): Promise<unknown> => {
      const { token, signal } = call;
      const path = `${operationPath(token)}/${what}`;
      return ask(address, { method: "POST", path, body: dataOf(name, call), signal });
    };
  const cancel = async (call: Call): Promise<void> => {
    const answer = await post("cancel")(call);
    if (answer !== null) throw new Error(`cancel was answered with ${reasonIn(answer)}`);
  };
  const list = async (properties: JsonObject): Promise<readonly string[]> => {
    const signal = AbortSignal.timeout(REQUEST_MS_MAX);
    const body = { type: name, properties };
    const found = await ask(address, { method: "POST", path: LIST_PATH, body, signal });
    return z.parse(idsSchema, found);
  };
  return {
    create: put,
    update: put,
    delete: put,
    check: put,
    suspend: put,
    resume: put,
    snapshot: put,
    poll: post("poll"),
    find: post("find"),
    cancel,
    list,
  };
};

const typeOf = (address: RemoteAddress, name: string, type: RemoteType) => {
  const { functions, ...described } = type;
  const all = functionsOf(address, name, type);
  const given = Object.fromEntries(functions.map((member) => [member, all[member]] as const));
  return { ...described, create: all.create, delete: all.delete, ...given };
};

const versionIn = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "protocol" in value ? value.protocol : undefined;

const readDescription = (value: unknown): Description => {
  const version = versionIn(value);
  if (!INTERFACE_VERSIONS.some((known) => known === version)) {
    throw new NoProvider(
      `protocol: must be the version of the protocol, which is ${INTERFACE_VERSIONS.join(" or ")}`,
    );
  }
  const read = readValue(descriptionSchema, value);
  if ("wrong" in read) throw new NoProvider(read.wrong);
  return read.value;
};

const describe = async (address: RemoteAddress, limitMs: number): Promise<Description> => {
  const signal = AbortSignal.timeout(limitMs);
  try {
    const reply = await sendSigned(address, { method: "GET", path: DESCRIBE_PATH, signal });
    if ("value" in reply) return readDescription(reply.value);
  } catch (error) {
    if (!(error instanceof Garbage)) throw error;
    throw new NoProvider(`its description cannot be read: ${error.message}`, { cause: error });
  }
  throw new AnswerLost("the provider is busy", 1);
};

/** Throws NoProvider, or AnswerLost if the server does not answer. */
export const connectProvider = async (
  address: RemoteAddress,
  limitMs = REQUEST_MS_MAX,
): Promise<Provider> => {
  const { protocol, name, types } = await describe(address, limitMs);
  const entries = Object.entries(types).map(
    ([type, described]) => [type, typeOf(address, type, described)] as const,
  );
  return readProvider({ provider: protocol, name, types: Object.fromEntries(entries) });
};
