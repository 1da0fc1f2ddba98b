/**
 * A proxy on an engine's socket that spoils one request: it cuts the connection before the request
 * or before the answer, sends the request twice, or delays it.
 */
import { createServer, request } from "node:http";

export const FAULTS = ["cut before", "cut after", "twice", "hold"] as const;
export type Fault = (typeof FAULTS)[number];

export interface CuttingProxy {
  readonly socketPath: string;
  spoil(at: number, fault: Fault): void;
  settle(): Promise<void>;
  readonly seen: { count: number; spoilt: boolean };
  readonly faults: () => number;
  stop(): Promise<void>;
}

interface Passed {
  readonly status: number;
  readonly body: Buffer;
}

/** Longer than the pause before a retry. A real engine needs more time for one call. */
const HOLD_MS_DEFAULT = 60;

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

const pass = (target: string, { method, path, headers, body }: Received): Promise<Passed> =>
  new Promise((resolve, reject) => {
    const forwarded = request(
      { socketPath: target, method, path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }),
        );
      },
    );
    forwarded.on("error", reject);
    forwarded.end(body);
  });

export const startCuttingProxy = async (
  target: string,
  socketPath: string,
  holdMs = HOLD_MS_DEFAULT,
): Promise<CuttingProxy> => {
  const seen = { count: 0, spoilt: false };
  let faults = 0;
  let plan: { readonly at: number; readonly fault: Fault } | null = null;
  const held = new Set<Promise<unknown>>();

  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { method, url: path, headers } = incoming;
    const received = { method, path, headers, body: Buffer.concat(chunks) };
    const fault = plan !== null && seen.count === plan.at ? plan.fault : null;
    seen.count += 1;
    seen.spoilt ||= fault !== null;
    faults += Number(fault !== null);
    if (fault === "cut before") return void response.destroy();
    if (fault === "hold") {
      response.destroy();
      const late = new Promise((resolve) => setTimeout(resolve, holdMs))
        .then(() => pass(target, received))
        .catch(() => undefined);
      held.add(late);
      return;
    }
    if (fault === "twice") await pass(target, received);
    const answer = await pass(target, received).catch(() => null);
    if (answer === null || fault === "cut after") return void response.destroy();
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(answer.body);
  });
  const settle = async (): Promise<void> => {
    await Promise.all(held);
    held.clear();
  };
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    socketPath,
    seen,
    faults: () => faults,
    settle,
    spoil: (at, fault) => {
      plan = { at, fault };
      Object.assign(seen, { count: 0, spoilt: false });
    },
    stop: async () => {
      await settle();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};
