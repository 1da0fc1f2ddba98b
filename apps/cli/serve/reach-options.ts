import { z } from "zod";
import { parseListen } from "#host/address.ts";
import type { HostOptions } from "#host/host.ts";
import { badUsage } from "../failure.ts";
import { filled, numberFrom, option } from "../options.ts";

const PORT_DEFAULT = 8004;
const AGENTS_PORT_DEFAULT = 8005;
const METRICS_PORT_DEFAULT = 8006;
const LOCAL_PROXY = ["127.0.0.0/8", "::1"];
const HOST_NAME = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i;

export const listenAt = (option: string) =>
  z
    .string()
    .transform((text) => parseListen(text))
    .refine((place) => place !== null, {
      error: `${option} is an IP address, such as 0.0.0.0, 0.0.0.0:8443 or [::]:8443`,
    })
    .optional();

const isBase = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { origin, href } = new URL(text);
  return href === `${origin}/`;
};

/** Paths of links are appended to this URL, so it may have no path and no query of its own. */
const baseUrl = (option: string) =>
  z
    .url({ protocol: /^https?$/, error: `${option} is not a URL (https://…, or http://…)` })
    .refine((text) => isBase(text), { error: `${option} has no path, no query and no user` })
    .transform((text) => new URL(text).origin)
    .optional();

export const ReachOptions = z.object({
  listen: option(
    "--listen <address>",
    "ADDR or ADDR:PORT; others need a token (default: 127.0.0.1)",
    listenAt("--listen"),
  ),
  port: option(
    "--port <number>",
    `0 picks a free one (default: ${PORT_DEFAULT})`,
    numberFrom("--port", 0, 65_535),
  ),
  publicUrl: option(
    "--public-url <url>",
    "where clients and agents reach the host",
    baseUrl("--public-url"),
  ),
  tlsCert: option(
    "--tls-cert <file>",
    "certificate with its chain, in PEM format",
    filled("--tls-cert"),
  ),
  tlsKey: option("--tls-key <file>", "the certificate's key", filled("--tls-key")),
  trustProxy: option(
    "--trust-proxy [addresses]",
    "believe the X-Forwarded headers of these proxies (default: those of this machine)",
    z
      .union([z.literal(true), z.string()])
      .transform((given) => (given === true ? LOCAL_PROXY : given.split(",")))
      .optional(),
  ),
  plainHttp: option(
    "--plain-http",
    "take tokens without TLS, in a network that encrypts by itself",
    z.boolean().optional(),
  ),
  auth: option(
    "--auth <how>",
    "tokens: demand them on loopback too",
    z.enum(["none", "tokens"]).optional(),
  ),
  allowedHost: option(
    "--allowed-host <name>",
    "one more name of the host; may be repeated",
    z
      .array(z.string().regex(HOST_NAME, "--allowed-host is a name or an address, without a port"))
      .optional(),
  ),
  agentsListen: option(
    "--agents-listen <address>",
    "a listener for the agents' signed URLs, and nothing else",
    listenAt("--agents-listen"),
  ),
  agentsUrl: option(
    "--agents-url <url>",
    "where agents reach that listener",
    baseUrl("--agents-url"),
  ),
  metricsListen: option(
    "--metrics-listen <address>",
    "a listener for Prometheus's metrics, and nothing else",
    listenAt("--metrics-listen"),
  ),
  accessLog: option(
    "--access-log <which>",
    "requests in access.log (default: refused)",
    z.enum(["all", "refused", "off"]).optional(),
  ),
});

const tlsOf = ({ tlsCert, tlsKey }: z.infer<typeof ReachOptions>): HostOptions["tls"] => {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw badUsage("--tls-cert and --tls-key need each other");
  }
  return { certFile: tlsCert, keyFile: tlsKey };
};

export const reachOf = (options: z.infer<typeof ReachOptions>) => {
  const { listen, port, agentsListen, metricsListen, allowedHost, tlsCert, tlsKey, ...others } =
    options;
  if (listen?.port != null && port !== undefined) {
    throw badUsage("--port and the port of --listen exclude each other");
  }
  return {
    ...others,
    tls: tlsOf(options),
    address: listen?.address,
    port: listen?.port ?? port ?? PORT_DEFAULT,
    allowedHosts: allowedHost,
    agentsListen: agentsListen && {
      address: agentsListen.address,
      port: agentsListen.port ?? AGENTS_PORT_DEFAULT,
    },
    metricsListen: metricsListen && {
      address: metricsListen.address,
      port: metricsListen.port ?? METRICS_PORT_DEFAULT,
    },
  };
};
