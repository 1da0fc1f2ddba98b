/** Decides from a request's head whether a listener answers the request at all. */
import type { APIGatewayProxyResult } from "aws-lambda";
import { type Access, decideAccess } from "#functions/authorizer/authorize.ts";
import { proxyResult } from "#functions/http-event.ts";
import { faultResponse } from "#lib/api/errors.ts";
import type { Clock, Rights, TokenStore } from "#lib/ports/ports.ts";
import { hostFault, isOwnOrigin, type NameFault, type OwnNames } from "./own-names.ts";
import { isOpenPath, isSignedPath } from "./routes.ts";
import type { Sender } from "./sender.ts";

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

export const openGuard =
  (listening: Listening): Guard =>
  async (head) => ({ refusal: refusedAtDoor(head, listening), ...NOBODY });

export const agentsGuard =
  (listening: Listening): Guard =>
  async (head) => {
    const refusal = refusedAtDoor(head, listening);
    if (refusal !== null) return { refusal, ...NOBODY };
    if (isSignedPath(head.path)) return ADMITTED;
    return { refusal: refused("signed-routes-only", 404), ...NOBODY };
  };

/**
 * For a host that demands tokens. Signed URLs carry their own right. `/_dev` shows all projects, so
 * no token opens it.
 */
export const tokenGuard =
  (listening: Listening, tokens: TokenStore, clock: Clock): Guard =>
  async (head) => {
    const refusal = refusedAtDoor(head, listening);
    if (refusal !== null) return { refusal, ...NOBODY };
    if (isSignedPath(head.path) || isOpenPath(head.path)) return ADMITTED;
    if (head.path.startsWith("/_dev/")) return { refusal: refused("dev-route", 404), ...NOBODY };
    return admissionOf(await decideAccess(tokens, clock.now(), head));
  };

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
