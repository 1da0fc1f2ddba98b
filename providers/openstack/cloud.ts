import * as z from "zod/mini";
import type { JsonObject } from "#provider/provider.ts";
import { readValue } from "#provider/read-value.ts";

export type Service = "compute" | "network" | "volume" | "image";

export interface CloudCall {
  readonly service: Service;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly json?: unknown;
  readonly signal: AbortSignal;
}

export interface CloudAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface Cloud {
  projectId(signal: AbortSignal): Promise<string>;
  /** Resolves for every status except 401, 429 and 5xx. Throws TryAgain or UnknownCaller. */
  ask(call: CloudCall): Promise<CloudAnswer>;
}

/** The cloud of a project, whose credential may be read only now. Throws NoProject. */
export type Clouds = (tenant: string) => Cloud | Promise<Cloud>;

export class NoProject extends Error {
  override readonly name = "NoProject";
}

/** The service is busy or does not answer, so the outcome of the call is unknown. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
}

export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The template asks for something that does not exist or cannot be. Users see the message. */
export class Impossible extends Error {
  override readonly name = "Impossible";
}

/** Keystone, the catalog or the service does not accept the caller, so the call had no effect. */
export class UnknownCaller extends Refused {}

export const BAD_REQUEST = 400;
export const NOT_FOUND = 404;
export const CONFLICT = 409;
const MESSAGE_CHARS_MAX = 500;

/** Each service names the outer member differently: `{"badRequest": {"message": …}}`. */
const told = z.record(z.string(), z.looseObject({ message: z.string() }));

export const messageOf = ({ status, body }: CloudAnswer): string => {
  const read = z.safeParse(told, body);
  const [first] = read.success ? Object.values(read.data) : [];
  return (first?.message ?? `status ${status}`).slice(0, MESSAGE_CHARS_MAX);
};

const SUCCESS_MIN = 200;
const SUCCESS_MAX = 299;

/** A redirect of a proxy is not a success, because the service has done nothing. */
export const isSuccess = ({ status }: CloudAnswer): boolean =>
  status >= SUCCESS_MIN && status <= SUCCESS_MAX;

export const refusedBy = (answer: CloudAnswer): Refused =>
  new Refused(answer.status, messageOf(answer));

export const expectDone = (answer: CloudAnswer): void => {
  if (!isSuccess(answer)) throw refusedBy(answer);
};

export const expectGone = (answer: CloudAnswer): void => {
  if (answer.status !== NOT_FOUND) expectDone(answer);
};

export const readAnswer = <T>(schema: z.ZodMiniType<T>, answer: CloudAnswer): T => {
  expectDone(answer);
  const read = readValue(schema, answer.body);
  if ("value" in read) return read.value;
  throw new Refused(
    answer.status,
    `the answer does not have the form of OpenStack's API: ${read.wrong}`,
  );
};

/** For a creation. If the answer cannot be read, TryAgain makes the caller look for the object. */
export const readMade = <T>(schema: z.ZodMiniType<T>, answer: CloudAnswer): T => {
  if (!isSuccess(answer)) throw refusedBy(answer);
  const read = z.safeParse(schema, answer.body);
  if (read.success) return read.data;
  throw new TryAgain("the answer to a creation does not have the form of OpenStack's API");
};

export const readIfThere = <T>(schema: z.ZodMiniType<T>, answer: CloudAnswer): T | null =>
  answer.status === NOT_FOUND ? null : readAnswer(schema, answer);

export const resource = z.intersection(
  z.object({ id: z.string() }),
  z.record(z.string(), z.json()),
);

export type Resource = JsonObject & { readonly id: string };

const entriesOf = (given: unknown): unknown =>
  typeof given === "object" && given !== null ? Object.entries(given) : given;

/** A map from users' names, as a cloud answers it. Zod's own record leaves out `__proto__`. */
export const recordOf = <Member>(member: z.ZodMiniType<Member>) =>
  z.pipe(
    z.transform(entriesOf),
    z.pipe(
      z.array(z.tuple([z.string(), member])),
      z.transform((entries) => Object.fromEntries(entries)),
    ),
  );
