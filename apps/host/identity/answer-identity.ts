/**
 * A minimal imitation of Keystone, for clients that insist on one. `OS_AUTH_URL` is the host's URL
 * with `/v3`. The password is an API token, and the client gets the same token back. There are no
 * users, roles or domains.
 */
import { headerOf } from "#functions/http-event.ts";
import { FAULTS } from "#lib/api/errors.ts";
import { type ApiResponse, emptyResponse, jsonResponse } from "#lib/api/http.ts";
import { type Json, parseJson } from "#lib/json.ts";
import type { Clock } from "#lib/ports/ports.ts";
import type { HttpRequest } from "../lambda-events.ts";
import { catalogOf, projectsDocument, tokenDocument, versionDocument } from "./documents.ts";
import { type AuthRequest, type FindGrant, type Grant, readAuthRequest } from "./grants.ts";

const ROOT = "/v3";
const TOKEN_MS = 86_400_000;
const SUBJECT = "X-Subject-Token";

export const isIdentityPath = (path: string): boolean =>
  path === ROOT || path.startsWith(`${ROOT}/`);

export interface IdentitySource {
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly findGrant: FindGrant;
}

type IdentityRequest = Pick<HttpRequest, "method" | "path" | "headers" | "body">;

const fault = (
  code: 400 | 401 | 403 | 404 | 405,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ApiResponse =>
  jsonResponse(code, { error: { code, title: FAULTS[code]?.[0] ?? "", message } }, headers);

const UNAUTHORIZED = fault(401, "The request you have made requires authentication.");

const issue = (
  { publicUrl, clock }: IdentitySource,
  status: 200 | 201,
  grant: Grant,
  asked: Pick<AuthRequest, "methods" | "user">,
): ApiResponse => {
  const issuedAt = clock.now();
  const document = tokenDocument(publicUrl, {
    methods: asked.methods,
    user: asked.user ?? grant.user,
    project: grant.project,
    issuedAt,
    expiresAt: grant.expiresAt ?? issuedAt + TOKEN_MS,
  });
  return jsonResponse(status, document, { [SUBJECT]: grant.token, Vary: "X-Auth-Token" });
};

const bodyOf = (text: string | null): Json => {
  try {
    return parseJson(text ?? "null");
  } catch {
    return null;
  }
};

const authenticate = async (
  source: IdentitySource,
  { body }: IdentityRequest,
): Promise<ApiResponse> => {
  const asked = readAuthRequest(bodyOf(body));
  if (asked === null) {
    const methods = "password, token and application_credential";
    return fault(400, `The body must be a request of Keystone's version 3. Methods: ${methods}.`);
  }
  const grant = await source.findGrant(asked.secret, asked.project);
  return grant === null ? UNAUTHORIZED : issue(source, 201, grant, asked);
};

const grantIn = (
  { findGrant }: IdentitySource,
  { headers }: IdentityRequest,
  name: string,
): Promise<Grant | null> => findGrant(headerOf(headers, name) ?? "", null);

const validate = async (source: IdentitySource, request: IdentityRequest): Promise<ApiResponse> => {
  if ((await grantIn(source, request, "X-Auth-Token")) === null) return UNAUTHORIZED;
  const grant = await grantIn(source, request, SUBJECT);
  if (grant === null) return fault(404, "Could not find token.");
  return issue(source, 200, grant, { methods: ["token"], user: null });
};

const forHolder =
  (document: (publicUrl: string, project: string) => Json) =>
  async (source: IdentitySource, request: IdentityRequest): Promise<ApiResponse> => {
    const grant = await grantIn(source, request, "X-Auth-Token");
    if (grant === null) return UNAUTHORIZED;
    return jsonResponse(200, document(source.publicUrl, grant.project));
  };

type Answer = (source: IdentitySource, request: IdentityRequest) => Promise<ApiResponse>;

const ROUTES: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  [ROOT]: {
    GET: async ({ publicUrl }) => jsonResponse(200, { version: versionDocument(publicUrl) }),
  },
  [`${ROOT}/auth/tokens`]: {
    POST: authenticate,
    GET: validate,
    HEAD: validate,
    DELETE: async () =>
      fault(403, "A token of this host is revoked with `hearth token revoke` only."),
  },
  [`${ROOT}/auth/catalog`]: {
    GET: forHolder((publicUrl, project) => ({
      catalog: catalogOf(publicUrl, project),
      links: { self: `${publicUrl}${ROOT}/auth/catalog` },
    })),
  },
  [`${ROOT}/auth/projects`]: { GET: forHolder(projectsDocument) },
};

export const IDENTITY_ROUTES = Object.entries(ROUTES).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method, path })),
);

export const answerIdentity = async (
  source: IdentitySource,
  request: IdentityRequest,
): Promise<ApiResponse> => {
  const path = request.path.replace(/(?<!\/)\/+$/, "");
  const methods = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (methods === undefined) return fault(404, "This host has tokens and a catalog only.");
  const allow = Object.keys(methods).join(",");
  if (request.method === "OPTIONS") return emptyResponse(204, { Allow: allow });
  const answer = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (answer === undefined) {
    return fault(405, "The method is not allowed for this resource.", { Allow: allow });
  }
  return answer(source, request);
};
