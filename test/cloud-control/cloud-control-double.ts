/**
 * A double of Cloud Control and of STS's AssumeRole on their wire: JSON 1.0 and the query protocol.
 * It knows requests by ClientToken, ends them after a while and counts what it made. No emulator
 * does that.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { Json, JsonObject } from "#provider/provider.ts";
import { packedTables } from "#providers/cloud-control/tables/packed-tables.ts";
import { readTables } from "#providers/cloud-control/tables/type-table.ts";
import { valueAt, withoutPaths } from "#providers/cloud-control/types/paths.ts";
import { PatchDocument, patched } from "./patched.ts";
import { SESSION_KEY, sessionAnswer } from "./session-answer.ts";

export const FAULTS = ["throttled", "dropped", "lost", "twice"] as const;
export type Fault = (typeof FAULTS)[number];

interface Request {
  readonly token: string;
  readonly type: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly content: string;
  identifier: string | null;
  polls: number;
  status: "IN_PROGRESS" | "SUCCESS" | "FAILED";
  errorCode?: string;
  message?: string;
}

interface Made {
  readonly type: string;
  readonly identifier: string;
  readonly clientToken: string;
  model: JsonObject;
  hidden: number;
}

export interface DoubleOptions {
  /** How many polls a request takes to end. With 0 the first answer reports the end. */
  readonly polls?: number;
  /** The delay in seconds that an answer suggests before the next poll. */
  readonly lookSeconds?: number;
  readonly hidden?: number;
  readonly fault?: (call: number, action: string) => Fault | null;
  readonly isSession?: (authorization: string) => boolean;
  readonly afterEffect?: (action: string, double: Double) => Promise<void>;
}

const Body = z.object({
  TypeName: z.string().optional(),
  Identifier: z.string().optional(),
  DesiredState: z.string().optional(),
  PatchDocument: z.string().optional(),
  ClientToken: z.string().optional(),
  RequestToken: z.string().optional(),
  NextToken: z.string().optional(),
});
type Body = z.infer<typeof Body>;

const Model = z.record(z.string(), z.json());
const PAGE = 50;

class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const tables = readTables(packedTables());

const tableOf = (type: string) => {
  const table = tables.table(type);
  if (table === null) throw new Refusal("TypeNotFoundException", `there is no ${type}`);
  return table;
};

/** AWS sets the identifier's parts and a value for each read-only property. */
const completed = (type: string, given: JsonObject): JsonObject => {
  const { identifier, readOnly, properties } = tableOf(type);
  const id = randomUUID().slice(0, 13);
  const set = [...identifier, ...readOnly].filter((path) => !path.includes("/"));
  const made = set.flatMap((name): [string, Json][] =>
    given[name] === undefined && (properties[name] === "s" || identifier.includes(name))
      ? [[name, `${name.toLowerCase()}-${id}`]]
      : [],
  );
  return { ...given, ...Object.fromEntries(made) };
};

export class Double {
  readonly objects = new Map<string, Made>();
  readonly requests = new Map<string, Request>();
  readonly byClientToken = new Map<string, Request>();
  readonly effects = new Map<string, number>();
  readonly calls = new Map<string, number>();
  readonly sessions: { role: string; session: string; externalId: string | null }[] = [];
  readonly faults = new Map<Fault, number>();
  options: DoubleOptions;
  failNext: string | null = null;
  #count = 0;

  constructor(options: DoubleOptions) {
    this.options = options;
  }

  get made(): number {
    return this.#sum(this.effects);
  }

  get allCalls(): number {
    return this.#sum(this.calls);
  }

  #sum(counts: ReadonlyMap<string, number>): number {
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  }

  identifiers(type: string): readonly string[] {
    return [...this.objects.values()]
      .filter((one) => one.type === type)
      .map((one) => one.identifier);
  }

  /** AWS forgets a ClientToken after 36 hours. */
  forgetTokens(): void {
    this.byClientToken.clear();
  }

  faultFor(action: string): Fault | null {
    const fault = this.options.fault?.(this.#count++, action) ?? null;
    if (fault !== null) this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    return fault;
  }

  #key(type: string, identifier: string): string {
    return `${type} ${identifier}`;
  }

  #begin(operation: Request["operation"], body: Body, act: (request: Request) => void): Request {
    const content = JSON.stringify([
      operation,
      body.TypeName,
      body.Identifier,
      body.DesiredState,
      body.PatchDocument,
    ]);
    const known = this.byClientToken.get(body.ClientToken ?? "");
    if (known !== undefined) {
      if (known.content === content) return known;
      throw new Refusal("ClientTokenConflictException", "the token was used for another request");
    }
    const { polls = 1 } = this.options;
    const request: Request = {
      token: randomUUID(),
      type: body.TypeName ?? "",
      operation,
      content,
      identifier: body.Identifier ?? null,
      polls,
      status: "IN_PROGRESS",
    };
    this.requests.set(request.token, request);
    this.byClientToken.set(body.ClientToken ?? request.token, request);
    const code = this.failNext;
    this.failNext = null;
    if (code === null) act(request);
    else this.#fail(request, code, "the handler has failed");
    if (polls === 0 && request.status === "IN_PROGRESS") request.status = "SUCCESS";
    return request;
  }

  #fail(request: Request, code: string, message: string): void {
    request.status = "FAILED";
    request.errorCode = code;
    request.message = message;
  }

  create(body: Body): Request {
    const type = body.TypeName ?? "";
    const table = tableOf(type);
    return this.#begin("CREATE", body, (request) => {
      const given = Model.parse(JSON.parse(body.DesiredState ?? "{}"));
      const missing = table.needs.find((name) => given[name] === undefined);
      if (missing !== undefined)
        return this.#fail(request, "InvalidRequest", `${missing} is missing`);
      const model = completed(type, given);
      const identifier = table.identifier.map((path) => String(valueAt(model, path))).join("|");
      request.identifier = identifier;
      const key = this.#key(type, identifier);
      if (this.objects.has(key))
        return this.#fail(request, "AlreadyExists", `${identifier} exists`);
      const clientToken = body.ClientToken ?? "";
      const { hidden = 0 } = this.options;
      this.objects.set(key, { type, identifier, clientToken, model, hidden });
      this.effects.set(clientToken, (this.effects.get(clientToken) ?? 0) + 1);
    });
  }

  #find(body: Body): Made {
    const found = this.objects.get(this.#key(body.TypeName ?? "", body.Identifier ?? ""));
    if (found !== undefined) return found;
    throw new Refusal("ResourceNotFoundException", `there is no ${body.Identifier}`);
  }

  update(body: Body): Request {
    const known = this.byClientToken.has(body.ClientToken ?? "");
    const found = known ? null : this.#find(body);
    return this.#begin("UPDATE", body, () => {
      if (found === null) return;
      const patch = PatchDocument.parse(JSON.parse(body.PatchDocument ?? "[]"));
      const after = patched(found.model, patch);
      if (after === null) throw new Refusal("InvalidRequestException", "the patch does not fit");
      found.model = after;
    });
  }

  delete(body: Body): Request {
    const known = this.byClientToken.has(body.ClientToken ?? "");
    if (!known) this.#find(body);
    return this.#begin("DELETE", body, () => {
      this.objects.delete(this.#key(body.TypeName ?? "", body.Identifier ?? ""));
    });
  }

  status(body: Body): Request {
    const request = this.requests.get(body.RequestToken ?? "");
    if (request === undefined) {
      throw new Refusal("RequestTokenNotFoundException", "there is no such request");
    }
    if (request.status === "IN_PROGRESS") {
      request.polls -= 1;
      if (request.polls <= 0) request.status = "SUCCESS";
    }
    return request;
  }

  read(body: Body): object {
    const found = this.#find(body);
    if (found.hidden > 0) {
      found.hidden -= 1;
      throw new Refusal("ResourceNotFoundException", "it cannot be seen yet");
    }
    const { writeOnly } = tableOf(found.type);
    const Properties = JSON.stringify(withoutPaths(found.model, writeOnly));
    return { Identifier: found.identifier, Properties };
  }

  list(body: Body): object {
    const all = this.identifiers(body.TypeName ?? "");
    const from = Number(body.NextToken ?? 0);
    const rest = all.length > from + PAGE ? { NextToken: String(from + PAGE) } : {};
    const ResourceDescriptions = all.slice(from, from + PAGE).map((Identifier) => ({ Identifier }));
    return { TypeName: body.TypeName, ResourceDescriptions, ...rest };
  }

  answer(action: string, body: Body): object {
    const { lookSeconds = 0 } = this.options;
    const event = (request: Request) => ({ ProgressEvent: eventOf(request, lookSeconds) });
    switch (action) {
      case "CreateResource":
        return event(this.create(body));
      case "UpdateResource":
        return event(this.update(body));
      case "DeleteResource":
        return event(this.delete(body));
      case "GetResourceRequestStatus":
        return event(this.status(body));
      case "GetResource":
        return { TypeName: body.TypeName, ResourceDescription: this.read(body) };
      case "ListResources":
        return this.list(body);
      default:
        throw new Refusal("UnsupportedActionException", action);
    }
  }
}

const eventOf = (request: Request, lookSeconds: number): object => ({
  TypeName: request.type,
  RequestToken: request.token,
  Operation: request.operation,
  OperationStatus: request.status,
  EventTime: Date.now() / 1_000,
  ...(request.identifier === null ? {} : { Identifier: request.identifier }),
  ...(request.errorCode === undefined ? {} : { ErrorCode: request.errorCode }),
  ...(request.message === undefined ? {} : { StatusMessage: request.message }),
  ...(request.status === "IN_PROGRESS" ? { RetryAfter: Date.now() / 1_000 + lookSeconds } : {}),
});

const textOf = async (message: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
};

const assumeRole = (double: Double, form: URLSearchParams): string => {
  double.sessions.push({
    role: form.get("RoleArn") ?? "",
    session: form.get("RoleSessionName") ?? "",
    externalId: form.get("ExternalId"),
  });
  return sessionAnswer(Date.now());
};

const sendJson = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
  response.end(JSON.stringify(body));
};

/** Only sessions of roles are accepted, never the host's own credentials. */
const isOwnSession = (authorization: string): boolean =>
  authorization.includes(`Credential=${SESSION_KEY}/`);

const play = (double: Double, action: string, body: Body): [number, object] => {
  try {
    return [200, double.answer(action, body)];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [
      400,
      {
        __type: `com.amazonaws.cloudapi#${error.code}`,
        Message: error.message,
        message: error.message,
      },
    ];
  }
};

const handle = async (double: Double, request: IncomingMessage, response: ServerResponse) => {
  const text = await textOf(request);
  const target = request.headers["x-amz-target"];
  if (typeof target !== "string") {
    response.writeHead(200, { "content-type": "text/xml" });
    response.end(assumeRole(double, new URLSearchParams(text)));
    return;
  }
  const action = target.replace("CloudApiService.", "");
  double.calls.set(action, (double.calls.get(action) ?? 0) + 1);
  const fault = double.faultFor(action);
  const { isSession = isOwnSession, afterEffect } = double.options;
  if (!isSession(request.headers.authorization ?? ""))
    return sendJson(response, 400, { __type: "AccessDeniedException" });
  if (fault === "dropped") return request.socket.destroy();
  if (fault === "throttled") {
    return sendJson(response, 400, { __type: "ThrottlingException", message: "Rate exceeded" });
  }
  const body = Body.parse(JSON.parse(text));
  if (fault === "twice") play(double, action, body);
  const [status, answer] = play(double, action, body);
  await afterEffect?.(action, double);
  if (fault === "lost") return request.socket.destroy();
  sendJson(response, status, answer);
};

export interface RunningDouble {
  readonly double: Double;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export const startDouble = async (options: DoubleOptions = {}): Promise<RunningDouble> => {
  const double = new Double(options);
  const server = createServer((request, response) => {
    handle(double, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the double has no port");
  return {
    double,
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export const environmentFor = (url: string): Record<string, string> => ({
  AWS_ENDPOINT_URL_CLOUDCONTROL: url,
  AWS_ENDPOINT_URL_STS: url,
  AWS_ACCESS_KEY_ID: "AKIAHOST",
  AWS_SECRET_ACCESS_KEY: "host",
});
