/**
 * The wire between the functions and the emulator. Every request of every function passes here, so
 * that messages can be repeated or lost, workers killed, and a stack's cost counted. Requests are
 * signed, so they pass byte for byte, but sending one twice is allowed.
 */
import { once } from "node:events";
import {
  createServer,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { buffer } from "node:stream/consumers";
import { Bug } from "#lib/errors.ts";
import { type Call, isSend, lostAnswer, readCall } from "./wire-calls.ts";

export interface Disturbance {
  readonly tenant: string;
  readonly stackName: string;
  /**
   * After this many batches, the next batch with a single check message is lost, and so is its
   * repetition.
   */
  readonly losesAfter: number;
  /** Counted from 1. The worker dies before it receives the answer to this call of the provider. */
  readonly killsAt: readonly number[];
  readonly kill: () => void;
}

export interface Traffic {
  /** Includes lost messages. All others were sent twice. */
  readonly sent: number;
  readonly lost: number;
  readonly grouped: number;
  readonly creates: number;
  /**
   * Reads of the stack by the function that calls the provider. Each visit begins with one; a few
   * have other causes.
   */
  readonly visitsMax: number;
}

export interface Wire {
  readonly endpoint: string;
  disturb(disturbance: Disturbance): () => Traffic;
  messagesText(): string;
  close(): void;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const OF_CONNECTIONS = new Set(["connection", "keep-alive", "transfer-encoding", "expect"]);

const kept = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - (at % 2)] ?? "";
    return !OF_CONNECTIONS.has(name.toLowerCase());
  });

const forwarder = (target: string) => {
  const isTls = target.startsWith("https:");
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const open = isTls ? requestHttps : requestHttp;
  return async (asked: IncomingMessage, body: Buffer): Promise<Answer> => {
    const options = { method: asked.method, headers: kept(asked.rawHeaders), agent };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      open(new URL(asked.url ?? "/", target), options, resolve)
        .once("error", reject)
        .end(body);
    });
    const { statusCode: status = 502, rawHeaders } = answer;
    return { status, headers: kept(rawHeaders), body: await buffer(answer) };
  };
};

const watch = (disturbance: Disturbance) => {
  const { tenant, stackName, losesAfter, killsAt } = disturbance;
  const counts = { sent: 0, batches: 0, lost: 0, grouped: 0, creates: 0 };
  const providerCallers = new Set<string>();
  const reads = new Map<string, number>();
  const traffic = (): Traffic => {
    const visitsMax = [...providerCallers].reduce((sum, key) => sum + (reads.get(key) ?? 0), 0);
    return { ...counts, visitsMax };
  };
  const see = (call: Call): "pass" | "repeat" | "lose" | "kill" => {
    if (call.call === "send") {
      const own = call.messages.filter((message) => message.tenant === tenant);
      if (own.length === 0) return "pass";
      counts.sent += own.length;
      counts.batches += 1;
      counts.grouped += own.filter(({ group }) => group === tenant).length;
      const isLost =
        counts.lost === 0 && counts.batches > losesAfter && own.length === 1 && call.isCheck;
      counts.lost += isLost ? 1 : 0;
      return isLost ? "lose" : "repeat";
    }
    if (call.call === "read stack" && call.tenant === tenant)
      reads.set(call.caller, (reads.get(call.caller) ?? 0) + 1);
    if (call.call !== "make object" || call.stackName !== stackName) return "pass";
    providerCallers.add(call.caller);
    counts.creates += 1;
    return killsAt.includes(counts.creates) ? "kill" : "pass";
  };
  return { traffic, see, kill: disturbance.kill };
};

export const openWire = async (target: string): Promise<Wire> => {
  const forward = forwarder(target);
  let watched: ReturnType<typeof watch> | null = null;
  const sent: string[] = [];

  const pass = async (asked: IncomingMessage): Promise<Answer> => {
    const body = await buffer(asked);
    if (isSend(asked.headers)) sent.push(body.toString("utf8"));
    const call = watched ? readCall(asked.headers, body) : null;
    const fate = call && watched ? watched.see(call) : "pass";
    if (fate === "lose" && call?.call === "send") return { ...OK, body: lostAnswer(call) };
    const answer = await forward(asked, body);
    if (fate === "repeat") await forward(asked, body);
    if (fate === "kill") watched?.kill();
    return answer;
  };

  const server = createServer((asked, response) => {
    pass(asked).then(
      (answer) => reply(response, answer),
      // The worker or the emulator has died, so nothing waits for an answer.
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Bug("the wire has no port");
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    disturb: (disturbance) => {
      watched = watch(disturbance);
      return watched.traffic;
    },
    messagesText: () => sent.join("\n"),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const OK = { status: 200, headers: ["content-type", "application/x-amz-json-1.0"] };

const reply = (response: ServerResponse, { status, headers, body }: Answer): void => {
  response.writeHead(status, [...headers]);
  response.end(body);
};
