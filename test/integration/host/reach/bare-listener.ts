import { BlockList } from "node:net";
import { type AccessEntry, noAccessLog } from "#host/access-log.ts";
import { openBodyRoom } from "#host/body-room.ts";
import type { Exchange } from "#host/exchange.ts";
import { openGuard, ownNames } from "#host/guard.ts";
import { CLIENT_LIMITS, type ClientLimits, startHttpServer } from "#host/http-server.ts";
import type { TlsMaterial } from "#host/tls-files.ts";

/** A listener without a host. What it answers is in `more`. */
export const listen = async (
  limits: Partial<ClientLimits>,
  more: Partial<Exchange> = {},
  tls: TlsMaterial | null = null,
) => {
  const place = { address: "127.0.0.1", port: 0 };
  const server = await startHttpServer(place, tls, { ...CLIENT_LIMITS, ...limits });
  const url = `${tls === null ? "http" : "https"}://127.0.0.1:${server.port}`;
  const recorded: AccessEntry[] = [];
  server.serveWith({
    listener: "api",
    proxies: new BlockList(),
    guard: openGuard({ names: ownNames(url, url, []), onlyProxies: false, isSecure: false }),
    answer: () => Promise.reject(new Error("nothing is whole")),
    log: { ...noAccessLog, add: (entry) => void recorded.push(entry) },
    stackBytesMax: 1_000,
    bodyRoom: openBodyRoom(),
    ...more,
  });
  return { server, url, recorded };
};
