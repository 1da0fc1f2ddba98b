/** Decides from a request's head whether a listener answers the request at all. */

import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import type { APIGatewayProxyResult } from "aws-lambda";
import { type Access, decideAccess } from "#functions/authorizer/authorize.ts";
import { proxyResult } from "#functions/http-event.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { Clock, Rights, TokenStore } from "#lib/ports/ports.ts";
import { isIn, LOOPBACK_NAMES, plainAddress } from "./address.ts";
import { isOpenPath, isSignedPath } from "./routes.ts";

export interface RequestHead {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sender: Sender;
}

type RefusalReason =
  | NameFault
  | "foreign-origin"
  | "not-the-proxy"
  | "clear-text"
  | "signed-routes-only"
  | "dev-route"
  | "out-of-service"
  | Exclude<Access["verdict"], "granted">;

export interface Admission {
  readonly refusal: {
    readonly reason: RefusalReason;
    readonly result: APIGatewayProxyResult;
  } | null;
  readonly tenant: string | null;
  readonly tokenId: string | null;
  readonly rights: Rights;
}

export type Guard = (head: RequestHead) => Promise<Admission>;

export interface Listening {
  readonly names: OwnNames;
  readonly onlyProxies: boolean;
  readonly isSecure: boolean;
}

const NOBODY = { tenant: null, tokenId: null, rights: {} } as const;
const ADMITTED: Admission = { refusal: null, ...NOBODY };
const CHALLENGE = { "WWW-Authenticate": 'Basic realm="hearth"' } as const;

const NAME_TEXTS: Readonly<Record<NameFault, string>> = {
  "no-host": "The header Host is missing.",
  "two-hosts": "The header Host must be there once only.",
  "malformed-host": "The header Host is malformed.",
  "foreign-host": "The header Host names another server.",
};

const refused = (
  reason: RefusalReason,
  status: 400 | 403 | 404,
  message?: string,
): Admission["refusal"] => {
  const type = { 400: "HTTPBadRequest", 403: "Forbidden", 404: "HTTPNotFound" }[status];
  return { reason, result: proxyResult(faultResponse(status, type, message)) };
};

const refusedAtDoor = (
  { headers, sender }: RequestHead,
  { names, onlyProxies, isSecure }: Listening,
): Admission["refusal"] => {
  if (onlyProxies && !sender.isProxy) return refused("not-the-proxy", 403);
  const fault = hostFault(names, sender.hosts);
  if (fault !== null)
    return refused(fault, fault === "foreign-host" ? 403 : 400, NAME_TEXTS[fault]);
  const origin = headers["origin"];
  if (origin !== undefined && !isOwnOrigin(names, origin)) return refused("foreign-origin", 403);
  if (isSecure && sender.scheme === "http") return refused("clear-text", 403, "Use https.");
  return null;
};

/** `within` decides on a request that the door lets in. */
const guardOf =
  (listening: Listening, within: (head: RequestHead) => Admission | Promise<Admission>): Guard =>
  async (head) => {
    const refusal = refusedAtDoor(head, listening);
    return refusal === null ? within(head) : { refusal, ...NOBODY };
  };

export const openGuard = (listening: Listening): Guard => guardOf(listening, () => ADMITTED);

export const agentsGuard = (listening: Listening): Guard =>
  guardOf(listening, ({ path }) =>
    isSignedPath(path) ? ADMITTED : { refusal: refused("signed-routes-only", 404), ...NOBODY },
  );

/**
 * For a host that demands tokens. Signed URLs carry their own right. `/_dev` shows all projects, so
 * no token opens it.
 */
export const tokenGuard = (listening: Listening, tokens: TokenStore, clock: Clock): Guard =>
  guardOf(listening, async (head) => {
    if (isSignedPath(head.path) || isOpenPath(head.path)) return ADMITTED;
    if (head.path.startsWith("/_dev/")) return { refusal: refused("dev-route", 404), ...NOBODY };
    return admissionOf(await decideAccess(tokens, clock.now(), head));
  });

const admissionOf = (access: Access): Admission => {
  if (access.verdict === "no-token" || access.verdict === "unknown-token") {
    return { refusal: { reason: access.verdict, result: unauthorized() }, ...NOBODY };
  }
  const { verdict, tenant, tokenId } = access;
  if (verdict === "granted") return { refusal: null, tenant, tokenId, rights: access.rights };
  const known = { tenant, tokenId, rights: {} };
  if (verdict === "foreign-project") return { refusal: refused(verdict, 403), ...known };
  return { refusal: { reason: verdict, result: unauthorized() }, ...known };
};

const unauthorized = (): APIGatewayProxyResult =>
  proxyResult(faultResponse(401, "HTTPUnauthorized", undefined, CHALLENGE));

/**
 * The names by which clients may address a listener. Two attacks through a browser on a trusted
 * machine are prevented. Requests from pages of other origins are refused. So are requests for
 * foreign names that resolve to this address (DNS rebinding).
 */
interface OwnNames {
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

type NameFault = "no-host" | "two-hosts" | "malformed-host" | "foreign-host";

const hostFault = (own: OwnNames, hosts: readonly string[]): NameFault | null => {
  const [host, second] = hosts;
  if (host === undefined || host === "") return "no-host";
  if (second !== undefined) return "two-hosts";
  const isWritten = HOST.test(host) && URL.canParse(`http://${host}`);
  if (!isWritten) return "malformed-host";
  return own.hosts.has(nameOf(host)) ? null : "foreign-host";
};

/** A browser sends `null` for a page without an origin, which is refused here. */
const isOwnOrigin = (own: OwnNames, origin: string): boolean =>
  URL.canParse(origin) && own.origins.has(new URL(origin).origin);

interface Sender {
  readonly address: string;
  readonly hosts: readonly string[];
  readonly isProxy: boolean;
  /** The scheme by which the client reached the proxy, or null if no proxy reports one. */
  readonly scheme: string | null;
}

const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);

const listOf = (request: IncomingMessage, name: string): readonly string[] =>
  valuesOf(request, name)
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");

/** The last address that is not a trusted proxy's. The client can forge the ones before it. */
const clientBehind = (request: IncomingMessage, proxies: BlockList): string | null => {
  const named = listOf(request, "x-forwarded-for").map(plainAddress);
  const client = named.findLast((address) => !isIn(proxies, address));
  return client !== undefined && isIP(client) !== 0 ? client : null;
};

export const senderOf = (request: IncomingMessage, proxies: BlockList): Sender => {
  const peer = plainAddress(request.socket.remoteAddress ?? "");
  const hosts = valuesOf(request, "host");
  if (!isIn(proxies, peer)) return { address: peer, hosts, isProxy: false, scheme: null };
  const forwarded = listOf(request, "x-forwarded-host").at(-1);
  return {
    address: clientBehind(request, proxies) ?? peer,
    // Two Host headers remain an error, because the proxy and the host may have used different
    // ones.
    hosts: forwarded === undefined || hosts.length > 1 ? hosts : [forwarded],
    isProxy: true,
    scheme: listOf(request, "x-forwarded-proto").at(-1)?.toLowerCase() ?? null,
  };
};
