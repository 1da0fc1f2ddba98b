/**
 * The host's listeners: one for everything, one for the agents' signed routes if it is configured,
 * and one for metrics.
 */
import { BlockList } from "node:net";
import type { Clock, TokenStore } from "#lib/ports/ports.ts";
import { type ListenAddress, LOOPBACK, parseNetworks } from "./address.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { agentsGuard, type Listening, openGuard, ownNames, tokenGuard } from "./guard.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";
import { demandsTokens, isForProxyOnly, type ReachOptions, urlOf } from "./reach.ts";
import { readTlsFiles, type TlsMaterial, watchTlsFiles } from "./tls-files.ts";

interface Answering extends Omit<Exchange, "listener" | "proxies" | "guard"> {
  readonly answerMetrics: Answer;
  readonly tokens: TokenStore;
  readonly clock: Clock;
}

export interface Listeners {
  readonly url: string;
  readonly publicUrl: string;
  readonly agents: { readonly url: string; readonly publicUrl: string } | null;
  readonly metricsUrl: string | null;
  /** Requests wait until this is called. Call it once. */
  serve(answering: Answering): void;
  reloadCertificate(): void;
  stop(): Promise<void>;
}

export const startListeners = async (port: number, reach: ReachOptions): Promise<Listeners> => {
  const material = reach.tls === undefined ? null : readTlsFiles(reach.tls);
  const place = { address: reach.address ?? LOOPBACK, port };
  const started: HttpServer[] = [];
  const start = async (at: ListenAddress, tls: TlsMaterial | null): Promise<HttpServer> => {
    const server = await startHttpServer(at, tls);
    started.push(server);
    return server;
  };
  try {
    const { agentsListen, metricsListen } = reach;
    const api = await start(place, material);
    const agents = agentsListen ? await start(agentsListen, material) : null;
    const metrics = metricsListen ? await start(metricsListen, null) : null;
    return listenersOver({ api, agents, metrics }, reach);
  } catch (error) {
    await Promise.all(started.map((server) => server.stop()));
    throw error;
  }
};

interface Servers {
  readonly api: HttpServer;
  readonly agents: HttpServer | null;
  readonly metrics: HttpServer | null;
}

const listenersOver = ({ api, agents, metrics }: Servers, reach: ReachOptions): Listeners => {
  const { address = LOOPBACK, agentsListen, metricsListen, tls } = reach;
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
  const metricsPlace = metrics && metricsListen ? { ...metricsListen, port: metrics.port } : null;
  const metricsUrl = metricsPlace && urlOf({}, metricsPlace);
  return {
    ...urls,
    agents: agentsUrls,
    metricsUrl,
    serve: ({ tokens, clock, answerMetrics, ...answering }) => {
      const proxies = proxiesOf(reach);
      const shared = { ...answering, proxies };
      const open = listening(urls, apiPlace, reach);
      const guard = demandsTokens(reach) ? tokenGuard(open, tokens, clock) : openGuard(open);
      api.serveWith({ ...shared, listener: "api", guard });
      if (metrics && metricsPlace && metricsUrl) {
        const { publicUrl } = urls;
        const names = ownNames(metricsUrl, publicUrl, reach.allowedHosts ?? []);
        const guard = openGuard({ names, onlyProxies: false, isSecure: false });
        const { log, stackBytesMax, bodyRoom } = answering;
        const limits = { proxies, log, stackBytesMax, bodyRoom };
        metrics.serveWith({ ...limits, listener: "metrics", guard, answer: answerMetrics });
      }
      if (agents === null || agentsPlace === null || agentsUrls === null) return;
      const signed = agentsGuard(listening(agentsUrls, agentsPlace, reach));
      agents.serveWith({ ...shared, listener: "agents", guard: signed });
    },
    reloadCertificate: () => watched?.reload(),
    stop: async () => {
      watched?.close();
      await Promise.all([...servers, ...(metrics ? [metrics] : [])].map((one) => one.stop()));
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
