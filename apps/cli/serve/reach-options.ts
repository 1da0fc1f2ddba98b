import { type Command, Option } from "commander";
import { z } from "zod";
import { parseListen } from "#host/address.ts";
import type { HostOptions } from "#host/host.ts";
import { badUsage } from "../failure.ts";
import { collect, filled, numberFrom } from "../options.ts";

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
  port: numberFrom("--port", 0, 65_535),
  listen: listenAt("--listen"),
  publicUrl: baseUrl("--public-url"),
  tlsCert: filled("--tls-cert"),
  tlsKey: filled("--tls-key"),
  trustProxy: z
    .union([z.literal(true), z.string()])
    .transform((given) => (given === true ? LOCAL_PROXY : given.split(",")))
    .optional(),
  plainHttp: z.boolean().optional(),
  auth: z.enum(["none", "tokens"]).optional(),
  allowedHost: z
    .array(z.string().regex(HOST_NAME, "--allowed-host is a name or an address, without a port"))
    .optional(),
  agentsListen: listenAt("--agents-listen"),
  agentsUrl: baseUrl("--agents-url"),
  metricsListen: listenAt("--metrics-listen"),
  accessLog: z.enum(["all", "refused", "off"]).optional(),
});

export const addReachOptions = (serve: Command): Command =>
  serve
    .option("--listen <address>", "ADDR or ADDR:PORT; others need a token (default: 127.0.0.1)")
    .option("--port <number>", `0 picks a free one (default: ${PORT_DEFAULT})`)
    .option("--public-url <url>", "where clients and agents reach the host")
    .option("--tls-cert <file>", "certificate with its chain, in PEM format")
    .option("--tls-key <file>", "the certificate's key")
    .option(
      "--trust-proxy [addresses]",
      "believe the X-Forwarded headers of these proxies (default: those of this machine)",
    )
    .option("--plain-http", "take tokens without TLS, in a network that encrypts by itself")
    .addOption(
      new Option("--auth <how>", "tokens: demand them on loopback too").choices(["none", "tokens"]),
    )
    .option("--allowed-host <name>", "one more name of the host; may be repeated", collect)
    .option("--agents-listen <address>", "a listener for the agents' signed URLs, and nothing else")
    .option("--agents-url <url>", "where agents reach that listener")
    .option("--metrics-listen <address>", "a listener for Prometheus's metrics, and nothing else")
    .addOption(
      new Option("--access-log <which>", "requests in access.log (default: refused)").choices([
        "all",
        "refused",
        "off",
      ]),
    );

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
