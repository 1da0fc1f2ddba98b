/** The engine as an agent sees it: one metadata document, and signal URLs that record signals. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { z } from "zod";

const SignalBody = z.record(z.string(), z.unknown());

export interface Signal {
  readonly id: string;
  readonly method: string;
  readonly body: z.infer<typeof SignalBody>;
  readonly bytes: number;
  readonly text: string;
}

export interface FakeEngine {
  readonly metadataUrl: string;
  readonly polls: readonly string[];
  readonly signals: readonly Signal[];
  /** Sets the answer of the metadata URL: a document, or a raw body with its status. */
  serve(document: object | { readonly status: number; readonly text: string }): void;
  /** Sets the answer to an agent that asks whether its run shall go on, instead of the document. */
  tellRun(running: object): void;
  /** Offers upload URLs from now on. The next uploads get these statuses, later ones get 200. */
  takeUploads(...statuses: number[]): void;
  readonly uploads: ReadonlyMap<string, string>;
  refuseSignals(...statuses: number[]): void;
  acceptSignals(): void;
  attempts(): number;
  signalUrl(id: string): string;
  until(holds: () => boolean): Promise<void>;
  signalled(id: string, count?: number): Promise<readonly Signal[]>;
  polledAgain(times?: number): Promise<void>;
  close(): Promise<void>;
}

const openConditions = () => {
  const waiting = new Set<() => void>();
  return {
    check: () => {
      for (const check of [...waiting]) check();
    },
    until: (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const check = () => {
          if (!holds()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
};

const openUploads = () => {
  const uploads = new Map<string, string>();
  const statuses: number[] = [];
  let isOffered = false;
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

const openRuns = () => {
  let told: object | null = null;
  const answer = (
    url: string,
    response: ServerResponse,
    document: { readonly status: number; readonly text: string },
  ): void => {
    const isAsked = told !== null && url.includes("running=");
    const { status, text } = isAsked
      ? { status: 200, text: JSON.stringify({ running: told }) }
      : document;
    response.writeHead(status, { "Content-Type": "application/json" }).end(text);
  };
  const tell = (running: object): void => {
    told = running;
  };
  return { answer, tell };
};

const originOf = (server: Server): string => {
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return `http://127.0.0.1:${port}`;
};

export const startFakeEngine = async (): Promise<FakeEngine> => {
  const polls: string[] = [];
  const signals: Signal[] = [];
  const refusals: number[] = [];
  let attempts = 0;
  const runs = openRuns();
  const { check, until } = openConditions();
  const { uploads, answerUpload, takeUploads } = openUploads();
  let answer = { status: 200, text: '{"deployments": []}' };
  const server = createServer(async (request, response) => {
    const url = request.url ?? "";
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (url.startsWith("/metadata")) {
      polls.push(url);
      runs.answer(url, response, answer);
      check();
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
        signals.push({
          id,
          method: request.method ?? "",
          body,
          bytes: text.length,
          text: text.toString(),
        });
      }
    }
    check();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = originOf(server);
  return {
    metadataUrl: `${origin}/metadata/server-1?sig=secret-signature`,
    polls,
    signals,
    uploads,
    takeUploads,
    serve: (document) => {
      answer =
        "text" in document && "status" in document
          ? document
          : { status: 200, text: JSON.stringify(document) };
    },
    tellRun: runs.tell,
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

export const shell = (...lines: readonly string[]): string =>
  ["#!/bin/sh", ...lines, ""].join("\n");

export const entry = (
  engine: FakeEngine,
  id: string,
  config: unknown,
  options: EntryOptions = {},
): object => {
  const { group = "script", action = "CREATE", inputs = {}, outputs = [], name = id } = options;
  const signal = options.signal === undefined ? engine.signalUrl(id) : options.signal;
  const own = { deploy_action: action, deploy_resource_name: `${name}_deploy` };
  const transport =
    signal === null
      ? { deploy_signal_transport: "NO_SIGNAL" }
      : { deploy_signal_id: signal, deploy_signal_verb: options.verb ?? "PUT" };
  const values = Object.entries({ ...inputs, ...own, ...transport });
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
