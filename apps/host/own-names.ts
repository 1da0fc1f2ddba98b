/**
 * The names by which clients may address a listener. Two attacks through a browser on a trusted
 * machine are prevented. Requests from pages of other origins are refused. So are requests for
 * foreign names that resolve to this address (DNS rebinding).
 */
import { LOOPBACK_NAMES } from "./address.ts";

export interface OwnNames {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

export const ownNames = (
  url: string,
  publicUrl: string,
  allowedHosts: readonly string[],
): OwnNames => {
  const listening = new URL(url);
  const names = [...LOOPBACK_NAMES, listening.hostname, ...allowedHosts.map(nameOf)];
  const { hostname, origin } = new URL(publicUrl);
  const { protocol, port } = listening;
  const suffix = port === "" ? "" : `:${port}`;
  return {
    hosts: new Set([...names, hostname]),
    origins: new Set([origin, ...names.map((name) => `${protocol}//${name}${suffix}`)]),
  };
};

const nameOf = (host: string): string => new URL(`http://${host}`).hostname;

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

export type NameFault = "no-host" | "two-hosts" | "malformed-host" | "foreign-host";

export const hostFault = (own: OwnNames, hosts: readonly string[]): NameFault | null => {
  const [host, second] = hosts;
  if (host === undefined || host === "") return "no-host";
  if (second !== undefined) return "two-hosts";
  const isWritten = HOST.test(host) && URL.canParse(`http://${host}`);
  if (!isWritten) return "malformed-host";
  return own.hosts.has(nameOf(host)) ? null : "foreign-host";
};

/** A browser sends `null` for a page without an origin, which is refused here. */
export const isOwnOrigin = (own: OwnNames, origin: string): boolean =>
  URL.canParse(origin) && own.origins.has(new URL(origin).origin);
