/**
 * Who can reach the host, and what it demands of them (ADR 22). By default only this machine can. A
 * host that other machines can reach demands tokens. It does not accept them in clear text unless
 * the operator allows that.
 */
import {
  inUrl,
  isLoopback,
  isLoopbackUrl,
  isWildcard,
  type ListenAddress,
  LOOPBACK,
  parseNetworks,
} from "./address.ts";
import type { TlsFiles } from "./tls-files.ts";

export interface ReachOptions {
  readonly address?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly tls?: TlsFiles | undefined;
  readonly trustProxy?: readonly string[] | undefined;
  readonly plainHttp?: boolean | undefined;
  readonly auth?: "none" | "tokens" | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly agentsListen?: ListenAddress | undefined;
  /**
   * A listener for metrics only. It has no TLS, because metrics contain no secrets and no names.
   */
  readonly metricsListen?: ListenAddress | undefined;
  readonly agentsUrl?: string | undefined;
}

/** The options contradict each other or are unsafe. The message says what to do. */
export class ReachRefused extends Error {
  override readonly name = "ReachRefused";
}

const addressOf = ({ address = LOOPBACK }: ReachOptions): string => address;

/** A proxy or a public URL makes a loopback address reachable for others. */
const isReachable = (options: ReachOptions): boolean =>
  !isLoopback(addressOf(options)) ||
  options.trustProxy !== undefined ||
  (options.publicUrl !== undefined && !isLoopbackUrl(options.publicUrl));

export const demandsTokens = (options: ReachOptions): boolean =>
  options.auth === "tokens" || isReachable(options);

/** If tokens would cross a network in clear text, only the proxy may use the listener. */
export const isForProxyOnly = (address: string, options: ReachOptions): boolean =>
  !isLoopback(address) && options.tls === undefined && options.plainHttp !== true;

export const schemeOf = ({ tls }: ReachOptions): "http" | "https" =>
  tls === undefined ? "http" : "https";

export const urlOf = (options: ReachOptions, { address, port }: ListenAddress): string =>
  `${schemeOf(options)}://${inUrl(address)}:${port}`;

const isProxyElsewhere = (network: string): boolean => !isLoopback(network.split("/")[0] ?? "");

const clearTextRefusal = (option: string, address: string, options: ReachOptions) => {
  if (!isForProxyOnly(address, options)) return null;
  if (options.trustProxy?.some(isProxyElsewhere)) return null;
  return `${option} ${address} would carry secrets in clear text. Give --tls-cert and --tls-key, or the address of a proxy with TLS to --trust-proxy. --plain-http allows it, for a network that encrypts by itself.`;
};

const clearUrlRefusal = (option: string, url: string | undefined, { plainHttp }: ReachOptions) =>
  url?.startsWith("http:") && !isLoopbackUrl(url) && plainHttp !== true
    ? `${option} ${url} would carry secrets in clear text: it needs https, or --plain-http.`
    : null;

const wildcardRefusal = (
  option: string,
  address: string,
  urlOption: string,
  url: string | undefined,
) =>
  isWildcard(address) && url === undefined
    ? `${option} ${address} needs ${urlOption}: agents cannot reach ${address}.`
    : null;

export const checkReach = (options: ReachOptions): void => {
  const { agentsListen, agentsUrl, auth, publicUrl, trustProxy } = options;
  const address = addressOf(options);
  const agents = agentsListen?.address ?? LOOPBACK;
  const refusal =
    (trustProxy !== undefined && parseNetworks(trustProxy) === null
      ? `--trust-proxy ${trustProxy.join(",")}: addresses or networks are expected, such as 10.0.0.5 or 10.0.0.0/8.`
      : null) ??
    (auth === "none" && isReachable(options)
      ? "--auth none is only for a host that no other machine can reach."
      : null) ??
    (agentsUrl !== undefined && agentsListen === undefined
      ? "--agents-url needs --agents-listen."
      : null) ??
    clearTextRefusal("--listen", address, options) ??
    clearTextRefusal("--agents-listen", agents, options) ??
    clearUrlRefusal("--public-url", publicUrl, options) ??
    clearUrlRefusal("--agents-url", agentsUrl, options) ??
    wildcardRefusal("--listen", address, "--public-url", publicUrl) ??
    wildcardRefusal("--agents-listen", agents, "--agents-url", agentsUrl);
  if (refusal !== null) throw new ReachRefused(refusal);
};
