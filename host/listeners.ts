/** The host's listeners: one for everything, and perhaps one for the agents' signed routes only. */
import { BlockList } from "node:net";
import type { TokenStore } from "#lib/ports/api-tokens.ts";
import type { Clock } from "#lib/ports/clock.ts";
import type { AccessLog } from "./access-log.ts";
import { type ListenAddress, LOOPBACK, parseNetworks } from "./address.ts";
import type { BodyRoom } from "./body-room.ts";
import type { ChangeStreams } from "./change-streams.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { agentsGuard, type Listening, openGuard, tokenGuard } from "./guard.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";
import { ownNames } from "./own-names.ts";
import { demandsTokens, isForProxyOnly, type ReachOptions, urlOf } from "./reach.ts";
import { readTlsFiles, watchTlsFiles } from "./tls-files.ts";

/** What answers the requests, once it is there. */
export interface Answering {
  readonly answer: Answer;
  readonly findStream: ChangeStreams["find"];
  readonly findSigner: NonNullable<Exchange["findSigner"]>;
  readonly tokens: TokenStore;
  readonly clock: Clock;
  readonly log: AccessLog;
  readonly stackBytesMax: number;
  /** Of all listeners together. */
  readonly bodyRoom: BodyRoom;
}

export interface Listeners {
  /** Where the listener itself answers, and where clients reach it. */
  readonly url: string;
  readonly publicUrl: string;
  /** Null: agents use the same listener as everybody. */
  readonly agents: { readonly url: string; readonly publicUrl: string } | null;
  /** Requests wait until this is called, once. */
  serve(answering: Answering): void;
  /** Reads the certificate again now, and not only when its files change. */
  reloadCertificate(): void;
  stop(): Promise<void>;
}

/** Throws TlsFilesUnusable, or the system's error for an address that cannot be used. */
export const startListeners = async (port: number, reach: ReachOptions): Promise<Listeners> => {
  const material = reach.tls === undefined ? null : readTlsFiles(reach.tls);
  const place = { address: reach.address ?? LOOPBACK, port };
  const api = await startHttpServer(place, material);
  try {
    const { agentsListen } = reach;
    const agents = agentsListen ? await startHttpServer(agentsListen, material) : null;
    return listenersOver(api, agents, reach);
  } catch (error) {
    await api.stop();
    throw error;
  }
};

const listenersOver = (
  api: HttpServer,
  agents: HttpServer | null,
  reach: ReachOptions,
): Listeners => {
  const { address = LOOPBACK, agentsListen, tls } = reach;
  const servers = agents === null ? [api] : [api, agents];
  const watched =
    tls === undefined
      ? null
      : watchTlsFiles(tls, (material) => {
          for (const server of servers) server.useCertificate(material);
        });
  const apiPlace = { address, port: api.port };
  const agentsPlace = agents && agentsListen ? { ...agentsListen, port: agents.port } : null;
  const url = urlOf(reach, apiPlace);
  const urls = { url, publicUrl: reach.publicUrl ?? url };
  const agentsUrls = agentsPlace && agentsUrlsOf(reach, agentsPlace);
  return {
    ...urls,
    agents: agentsUrls,
    serve: ({ tokens, clock, ...answering }) => {
      const proxies = proxiesOf(reach);
      const shared = { ...answering, proxies };
      const open = listening(urls, apiPlace, reach);
      const guard = demandsTokens(reach) ? tokenGuard(open, tokens, clock) : openGuard(open);
      api.serveWith({ ...shared, listener: "api", guard });
      if (agents === null || agentsPlace === null || agentsUrls === null) return;
      const signed = agentsGuard(listening(agentsUrls, agentsPlace, reach));
      agents.serveWith({ ...shared, listener: "agents", guard: signed });
    },
    reloadCertificate: () => watched?.reload(),
    stop: async () => {
      watched?.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
};

const proxiesOf = ({ trustProxy = [] }: ReachOptions): BlockList =>
  parseNetworks(trustProxy) ?? new BlockList();

const agentsUrlsOf = (reach: ReachOptions, place: ListenAddress) => {
  const url = urlOf(reach, place);
  return { url, publicUrl: reach.agentsUrl ?? url };
};

const listening = (
  { url, publicUrl }: { readonly url: string; readonly publicUrl: string },
  { address }: ListenAddress,
  reach: ReachOptions,
): Listening => ({
  names: ownNames(url, publicUrl, reach.allowedHosts ?? []),
  onlyProxies: isForProxyOnly(address, reach),
  isSecure: publicUrl.startsWith("https:"),
});
