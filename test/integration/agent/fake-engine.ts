/** The engine's side as an agent sees it: one metadata document, and signal URLs that remember what they were sent. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const SignalBody = z.record(z.string(), z.unknown());

export interface Signal {
  readonly id: string;
  readonly method: string;
  readonly body: z.infer<typeof SignalBody>;
  readonly bytes: number;
}

export interface FakeEngine {
  readonly metadataUrl: string;
  /** Polling addresses as they were asked for, query included. */
  readonly polls: readonly string[];
  readonly signals: readonly Signal[];
  /** What the metadata URL answers from now on: a document, or a raw body with its status. */
  serve(document: object | { readonly status: number; readonly text: string }): void;
  /** From now on there is a place for what is too large; the next uploads get these statuses, and 200 after them. */
  takeUploads(...statuses: number[]): void;
  /** Bodies that were sent ahead, by the id of their signal. */
  readonly uploads: ReadonlyMap<string, string>;
  /** The next attempts to signal get these statuses, and are not recorded as signals. */
  refuseSignals(...statuses: number[]): void;
  acceptSignals(): void;
  /** Requests to signal URLs, the refused ones included. */
  attempts(): number;
  signalUrl(id: string): string;
  /** Resolves when the condition holds, looked at after each request. */
  until(holds: () => boolean): Promise<void>;
  signalled(id: string, count?: number): Promise<readonly Signal[]>;
  polledAgain(times?: number): Promise<void>;
  close(): Promise<void>;
}

/** Conditions that somebody waits for, looked at whenever something has happened. */
const watching = () => {
  const waiting = new Set<() => void>();
  return {
    look: () => {
      for (const look of [...waiting]) look();
    },
    until: (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = () => {
          if (!holds()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
};

/** Places for what is too large for a signal, once they are offered. */
const placing = () => {
  const uploads = new Map<string, string>();
  const statuses: number[] = [];
  let isOffered = false;
  /** False for what is no question for a place and no upload. */
  const answerUpload = (url: URL, body: string, response: ServerResponse): boolean => {
    const id = url.pathname.split("/").at(-1) ?? "";
    if (url.pathname.startsWith("/upload/")) {
      const status = statuses.shift() ?? 200;
      if (status === 200) uploads.set(id, body);
      response.writeHead(status).end();
      return true;
    }
    if (!isOffered || !url.searchParams.has("upload")) return false;
    const place = {
      upload_id: id,
      upload_url: `${url.origin}/upload/${id}`,
      headers: { "x-a": "b" },
    };
    response.writeHead(200).end(JSON.stringify(place));
    return true;
  };
  const takeUploads = (...given: number[]): void => {
    isOffered = true;
    statuses.push(...given);
  };
  return { uploads, answerUpload, takeUploads };
};

export const startFakeEngine = async (): Promise<FakeEngine> => {
  const polls: string[] = [];
  const signals: Signal[] = [];
  const refusals: number[] = [];
  let attempts = 0;
  const { look, until } = watching();
  const { uploads, answerUpload, takeUploads } = placing();
  let answer = { status: 200, text: '{"deployments": []}' };
  const server = createServer(async (request, response) => {
    const url = request.url ?? "";
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (url.startsWith("/metadata")) {
      polls.push(url);
      response.writeHead(answer.status, { "Content-Type": "application/json" }).end(answer.text);
      look();
      return;
    }
    const text = Buffer.concat(chunks);
    const whole = new URL(url, `http://${request.headers.host}`);
    if (!answerUpload(whole, text.toString(), response)) {
      attempts += 1;
      const status = refusals.shift() ?? 200;
      response.writeHead(status).end("null");
      if (status === 200) {
        const id = new URL(url, "http://engine").pathname.replace("/signal/", "");
        const body = SignalBody.parse(JSON.parse(text.toString()));
        signals.push({ id, method: request.method ?? "", body, bytes: text.length });
      }
    }
    look();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port }: Pick<AddressInfo, "port"> = z
    .object({ port: z.number() })
    .parse(server.address());
  const origin = `http://127.0.0.1:${port}`;
  return {
    metadataUrl: `${origin}/metadata/server-1?sig=secret-signature`,
    ...{ polls, signals, uploads, takeUploads },
    serve: (document) => {
      answer =
        "text" in document && "status" in document
          ? document
          : { status: 200, text: JSON.stringify(document) };
    },
    refuseSignals: (...statuses) => void refusals.push(...statuses),
    acceptSignals: () => void refusals.splice(0),
    attempts: () => attempts,
    signalUrl: (id) => `${origin}/signal/${id}?sig=secret-signature`,
    until,
    signalled: async (id, count = 1) => {
      const ofId = () => signals.filter((signal) => signal.id === id);
      await until(() => ofId().length >= count);
      return ofId();
    },
    polledAgain: (times = 1) => {
      const before = polls.length;
      return until(() => polls.length >= before + times);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

export interface EntryOptions {
  readonly group?: string;
  readonly action?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: readonly string[];
  readonly name?: string;
  readonly signal?: string | null;
  readonly verb?: string;
}

/** One derived config as Hearth renders it. */
export const entry = (
  engine: FakeEngine,
  id: string,
  config: unknown,
  options: EntryOptions = {},
): object => {
  const { group = "script", action = "CREATE", inputs = {}, outputs = [], name = id } = options;
  const signal = options.signal === undefined ? engine.signalUrl(id) : options.signal;
  const own = {
    deploy_action: action,
    deploy_resource_name: `${name}_deploy`,
    ...(signal === null
      ? { deploy_signal_transport: "NO_SIGNAL" }
      : { deploy_signal_id: signal, deploy_signal_verb: options.verb ?? "PUT" }),
  };
  const values = Object.entries({ ...inputs, ...own });
  return {
    id,
    name,
    group,
    config,
    creation_time: "2026-01-01T00:00:00Z",
    inputs: values.map(([key, value]) => ({ name: key, type: "String", value })),
    outputs: outputs.map((output) => ({ name: output, type: "String", error_output: false })),
    options: {},
  };
};
