/** One project of an OpenStack as the types ask it, and what its answers say. */
import * as z from "zod/mini";
import type { JsonObject } from "#provider/provider.ts";
import { readValue } from "#provider/read-value.ts";

export type Service = "compute" | "network" | "volume" | "image";

export interface CloudCall {
  readonly service: Service;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the version's base, with its leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly signal: AbortSignal;
}

export interface CloudAnswer {
  readonly status: number;
  /** Undefined: the body is empty or no JSON. */
  readonly body: unknown;
}

export interface Cloud {
  /** OpenStack's id of the project that the credential belongs to. Throws as `ask` does. */
  projectId(signal: AbortSignal): Promise<string>;
  /** Any answer of the service but 401, 429 and those of 500 and more. Throws the errors below. */
  ask(call: CloudCall): Promise<CloudAnswer>;
}

/** In which OpenStack a project's objects are. Throws NoProject. */
export type Clouds = (tenant: string) => Cloud;

/** The operator has named no application credential for the project. */
export class NoProject extends Error {
  override readonly name = "NoProject";
}

/** Busy, out of order or silent. Nobody knows whether the call had its effect. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
}

/** The service has answered, and does not do it. The text is the service's. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Keystone or its catalog does not know the caller, so no service was asked. */
export class UnknownCaller extends Refused {}

export const BAD_REQUEST = 400;
export const NOT_FOUND = 404;
export const CONFLICT = 409;
const MESSAGE_CHARS_MAX = 500;

/** Each service puts its text into a member of another name: `{"badRequest": {"message": …}}`. */
const told = z.record(z.string(), z.looseObject({ message: z.string() }));

export const messageOf = ({ status, body }: CloudAnswer): string => {
  const read = z.safeParse(told, body);
  const [first] = read.success ? Object.values(read.data) : [];
  return (first?.message ?? `status ${status}`).slice(0, MESSAGE_CHARS_MAX);
};

const SUCCESS_MIN = 200;
const SUCCESS_MAX = 299;

/** A proxy before a service may redirect. Then nothing was done. */
export const isSuccess = ({ status }: CloudAnswer): boolean =>
  status >= SUCCESS_MIN && status <= SUCCESS_MAX;

export const refusedBy = (answer: CloudAnswer): Refused =>
  new Refused(answer.status, messageOf(answer));

/** Throws Refused if the service has not done it. */
export const expectDone = (answer: CloudAnswer): void => {
  if (!isSuccess(answer)) throw refusedBy(answer);
};

/** The same for what may be gone already. */
export const expectGone = (answer: CloudAnswer): void => {
  if (answer.status !== NOT_FOUND) expectDone(answer);
};

/** Throws Refused for an answer that is none of the schema's. */
export const readAnswer = <T>(schema: z.ZodMiniType<T>, answer: CloudAnswer): T => {
  expectDone(answer);
  const read = readValue(schema, answer.body);
  if ("value" in read) return read.value;
  throw new Refused(
    answer.status,
    `the answer does not have the form of OpenStack's API: ${read.wrong}`,
  );
};

/** Of a creation. What it has made is looked for if its answer cannot be read. */
export const readMade = <T>(schema: z.ZodMiniType<T>, answer: CloudAnswer): T => {
  if (!isSuccess(answer)) throw refusedBy(answer);
  const read = z.safeParse(schema, answer.body);
  if (read.success) return read.data;
  throw new TryAgain("the answer to a creation does not have the form of OpenStack's API");
};

/** Null: there is no such object. */
export const readIfThere = <T>(schema: z.ZodMiniType<T>, answer: CloudAnswer): T | null =>
  answer.status === NOT_FOUND ? null : readAnswer(schema, answer);

/** Any object of a service: what its API calls a resource. */
export const resource = z.intersection(
  z.object({ id: z.string() }),
  z.record(z.string(), z.json()),
);

export type Resource = JsonObject & { readonly id: string };
