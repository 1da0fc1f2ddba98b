import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type Fault =
  /** The connection ends before the provider has the request. */
  | "cut before"
  /** The provider has done its work, and the answer is lost. */
  | "cut after"
  /** Two copies of the request arrive, and the second answer is returned. */
  | "twice"
  /** The answer comes after the limit of the call. */
  | "slow"
  | "half an answer"
  | "html"
  | "huge"
  | "status 500"
  | "status 502, done"
  | "redirect"
  | "throttled"
  | "wrong signature"
  | "another time";

export interface FaultyProxy {
  readonly url: string;
  /** The faults of the next requests that begin operations, one each. Null: no fault. */
  readonly faults: (Fault | null)[];
  readonly requests: string[];
  close(): Promise<void>;
}

const SLOW_MS = 2_500;
const HUGE_CHARS = 5_000_000;

interface Passed {
  readonly status: number;
  readonly text: string;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const part of request) text += part;
  return text;
};

const headersOf = ({ headers }: IncomingMessage): Record<string, string> => ({
  "hearth-time": String(headers["hearth-time"]),
  "hearth-signature": String(headers["hearth-signature"]),
});

type Pass = (headers?: Readonly<Record<string, string>>) => Promise<Passed>;

const answerWith = (response: ServerResponse, { status, text }: Passed): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(text);

const FORGED: Readonly<Partial<Record<Fault, Passed>>> = {
  html: { status: 200, text: "<html>It works!</html>" },
  huge: { status: 200, text: `"${"x".repeat(HUGE_CHARS)}"` },
  "status 500": { status: 500, text: '{"error":"<secret>"}' },
  throttled: { status: 429, text: "" },
};

const play = async (fault: Fault | null, response: ServerResponse, pass: Pass): Promise<void> => {
  const forged = fault === null ? undefined : FORGED[fault];
  if (forged) return answerWith(response, forged);
  switch (fault) {
    case "cut before":
      response.destroy();
      return;
    case "cut after":
      await pass();
      response.destroy();
      return;
    case "half an answer":
      response.writeHead(200, { "content-length": 1_000 });
      response.write((await pass()).text.slice(0, 10));
      setTimeout(() => response.destroy(), 20);
      return;
    case "twice":
      await pass();
      return answerWith(response, await pass());
    case "slow": {
      const answer = await pass();
      setTimeout(() => answerWith(response, answer), SLOW_MS).unref();
      return;
    }
    case "status 502, done":
      await pass();
      return answerWith(response, { status: 502, text: "" });
    case "redirect":
      response.writeHead(307, { location: "http://127.0.0.1:9/elsewhere" }).end();
      return;
    case "wrong signature":
      return answerWith(response, await pass({ "hearth-signature": "0".repeat(64) }));
    case "another time":
      return answerWith(response, await pass({ "hearth-time": String(Date.now() + 1) }));
    default:
      return answerWith(response, await pass());
  }
};

export const startFaultyProxy = async (target: string): Promise<FaultyProxy> => {
  const faults: (Fault | null)[] = [];
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    requests.push(`${method} ${url}`);
    const body = await bodyOf(request);
    const pass: Pass = async (changed = {}) => {
      const headers = { ...headersOf(request), ...changed };
      const sent = body === "" ? {} : { body };
      const answer = await fetch(target + url, { method, headers, ...sent });
      return { status: answer.status, text: await answer.text() };
    };
    const fault = method === "PUT" ? (faults.shift() ?? null) : null;
    await play(fault, response, pass).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
