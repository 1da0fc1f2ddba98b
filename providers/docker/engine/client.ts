/**
 * Calls Docker's Engine API, which Podman has too, over HTTP on a socket. Each call opens a
 * connection, because the engine may close a kept one just when it is used.
 */

import { request } from "node:http";
import * as z from "zod/mini";
import { readValue } from "#provider/read-value.ts";
import type { EngineAddress } from "./address.ts";

/** Longer than a loaded engine needs for one call, and shorter than a provider's call may take. */
const CALL_MS_MAX = 20_000;
const ANSWER_BYTES_MAX = 8_388_608;
const MESSAGE_CHARS_MAX = 500;

interface EngineCall {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly json?: unknown;
  readonly tar?: Buffer | undefined;
  readonly limitMs?: number | undefined;
}

export interface EngineAnswer {
  readonly status: number;
  readonly text: string;
}

export interface Engine {
  ask(call: EngineCall): Promise<EngineAnswer>;
}

/** The outcome is unknown. The caller may repeat the call. */
export class EngineUnreachable extends Error {
  override readonly name = "EngineUnreachable";
}

export class EngineRefused extends Error {
  override readonly name = "EngineRefused";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const NOT_FOUND = 404;
export const CONFLICT = 409;
export const SERVER_ERROR = 500;
const FIRST_REFUSAL = 400;

const errorBody = z.object({ message: z.string() });

export const messageOf = ({ status, text }: EngineAnswer): string => {
  const read = z.safeParse(errorBody, parsed(text));
  const message = read.success ? read.data.message : text.trim();
  return message === "" ? `status ${status}` : message.slice(0, MESSAGE_CHARS_MAX);
};

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

export const isSuccess = ({ status }: EngineAnswer): boolean => status < FIRST_REFUSAL;

export const refusedBy = (answer: EngineAnswer): EngineRefused =>
  new EngineRefused(answer.status, messageOf(answer));

export const readAnswer = <T>(schema: z.ZodMiniType<T>, answer: EngineAnswer): T => {
  if (!isSuccess(answer)) throw refusedBy(answer);
  const read = readValue(schema, parsed(answer.text));
  if ("value" in read) return read.value;
  throw new EngineRefused(
    answer.status,
    `the answer does not have the form of Docker's API: ${read.wrong}`,
  );
};

const pathOf = ({ path, query = {} }: EngineCall): string => {
  const pairs = new URLSearchParams(query).toString();
  return pairs === "" ? path : `${path}?${pairs}`;
};

const bodyOf = ({ json, tar }: EngineCall): { type: string; bytes: Buffer } | null => {
  if (tar !== undefined) return { type: "application/x-tar", bytes: tar };
  if (json === undefined) return null;
  return { type: "application/json", bytes: Buffer.from(JSON.stringify(json)) };
};

const targetOf = (address: EngineAddress) =>
  "socketPath" in address
    ? { socketPath: address.socketPath }
    : { host: address.host, port: address.port };

export const openEngine = (address: EngineAddress, callMsMax = CALL_MS_MAX): Engine => ({
  ask: (call) =>
    new Promise<EngineAnswer>((resolve, reject) => {
      const body = bodyOf(call);
      const { limitMs = callMsMax } = call;
      const fail = (why: string): void => {
        reject(new EngineUnreachable(`${call.method} ${call.path}: ${why}`));
        asked.destroy();
      };
      const asked = request({
        ...targetOf(address),
        method: call.method,
        path: pathOf(call),
        agent: false,
        ...(limitMs === 0 ? {} : { signal: AbortSignal.timeout(limitMs) }),
        headers: {
          host: "docker",
          ...(body && { "content-type": body.type, "content-length": body.bytes.length }),
        },
      });
      asked.on("error", (error) => fail(error.message));
      asked.on("response", (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > ANSWER_BYTES_MAX) fail(`its answer has more than ${ANSWER_BYTES_MAX} bytes`);
          else chunks.push(chunk);
        });
        response.on("error", (error) => fail(error.message));
        response.on("close", () => {
          if (!response.complete) return fail("the answer broke off");
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: response.statusCode ?? 0, text });
        });
      });
      asked.end(body?.bytes);
    }),
});

export type Labels = Readonly<Record<string, string>>;

/** An engine may answer null instead of no labels. */
export const labelsSchema = z.pipe(
  z.nullish(z.record(z.string(), z.string())),
  z.transform((found) => found ?? {}),
);

export const labelFilter = (wanted: Labels): string =>
  JSON.stringify({ label: Object.entries(wanted).map(([key, value]) => `${key}=${value}`) });

/** Podman's filter accepts an object that has only one of the labels. */
export const hasAll = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);
