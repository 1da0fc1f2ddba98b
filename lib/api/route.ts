import { forbidden } from "#lib/errors.ts";
import { mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { catalogRoutes } from "./catalog.ts";
import type { ApiSettings } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { diagnosisRoutes } from "./diagnosis.ts";
import { answerError, faultResponse } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { healthRoutes } from "./health.ts";
import { type ApiRequest, type ApiResponse, emptyResponse } from "./http.ts";
import { leftoverRoutes } from "./leftovers.ts";
import { previewRoutes } from "./previews.ts";
import { resourceActionRoutes } from "./resource-actions.ts";
import { resourceTypeRoutes } from "./resource-types.ts";
import { resourceRoutes } from "./resources.ts";
import { withinRights } from "./rights.ts";
import { snapshotRoutes } from "./snapshots.ts";
import { softwareConfigRoutes } from "./software-configs.ts";
import { softwareDeploymentRoutes } from "./software-deployments.ts";
import { stackLookupRoutes } from "./stack-lookup.ts";
import { stackRoutes } from "./stacks.ts";
import { pathSegments, TENANT } from "./tenant.ts";

interface CompiledRoute {
  readonly route: Route;
  readonly segments: readonly string[];
}

/**
 * In order of precedence: a literal comes before a parameter that would match it, since `{` comes
 * after all letters.
 */
export const API_ROUTES: readonly Route[] = [
  ...catalogRoutes,
  ...resourceTypeRoutes,
  ...healthRoutes,
  ...leftoverRoutes,
  ...previewRoutes,
  ...stackLookupRoutes,
  ...stackRoutes,
  ...snapshotRoutes,
  ...resourceRoutes,
  ...resourceActionRoutes,
  ...softwareConfigRoutes,
  ...softwareDeploymentRoutes,
  ...diagnosisRoutes,
  ...eventRoutes,
].toSorted(
  (left, right) => Number(left.pattern > right.pattern) - Number(left.pattern < right.pattern),
);

const ROUTES: readonly CompiledRoute[] = API_ROUTES.map((route) => ({
  route,
  segments: route.pattern.split("/").slice(1),
}));

/** Agents have functions of their own. A request that arrives here has the wrong method. */
const AGENT_ROUTES = [
  { segments: ["v1", "agent", "signal", "{derived_id}"], allow: "PUT,POST" },
  { segments: ["v1", "agent", "metadata", "{server_id}"], allow: "GET,HEAD" },
] as const;

/** Never rejects. `unexpected` receives the errors whose text the client does not see. */
export const route = (
  ports: Ports,
  settings: ApiSettings,
  request: ApiRequest,
  unexpected: (error: unknown) => void,
): Promise<ApiResponse> =>
  dispatch(ports, settings, request).catch((error: unknown) => answerError(error, unexpected));

const dispatch = async (
  ports: Ports,
  settings: ApiSettings,
  request: ApiRequest,
): Promise<ApiResponse> => {
  const segments = routeSegments(request.path);
  const matching = ROUTES.flatMap((compiled) => {
    const params = matchSegments(compiled.segments, segments);
    return params ? [{ ...compiled.route, params }] : [];
  });
  const agentRoute = AGENT_ROUTES.find((one) => matchSegments(one.segments, segments) !== null);
  const methods = new Set(matching.map(({ method }) => method));
  const allow = agentRoute?.allow ?? [...methods].join(",");
  if (allow === "") return faultResponse(404, "HTTPNotFound");
  if (request.method === "OPTIONS") return emptyResponse(204, { Allow: allow });
  const chosen = matching.find(({ method }) => method === request.method);
  if (!chosen) return faultResponse(405, "HTTPMethodNotAllowed", undefined, { Allow: allow });
  const { params, handle } = chosen;
  checkTenant(params["tenant"], request);
  const callersUrl = `${ports.publicUrl}${request.base ?? ""}`;
  return handle(await withinRights(chosen, { ports, settings, callersUrl, request, params }));
};

/**
 * The authorizer has checked the credential, but does not know the served path. So the credential's
 * project is compared with the path here.
 */
const checkTenant = (tenant: string | undefined, request: ApiRequest): void => {
  if (tenant === undefined) return;
  if (!TENANT.test(tenant)) throw forbidden("Invalid project.");
  if (request.tenant !== undefined && request.tenant !== tenant) {
    throw forbidden("You are not authorized to use this project.");
  }
};

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * Decoding follows the split, so an encoded slash stays in its segment. As in Heat, an ARN and
 * everything after it are one segment.
 */
const routeSegments = (path: string): readonly string[] => {
  const segments = pathSegments(path).map(decodeSegment);
  const at = segments.findIndex((segment) => segment.startsWith("arn:openstack:heat:"));
  return at < 0 ? segments : [...segments.slice(0, at), segments.slice(at).join("/")];
};

const matchSegments = (
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | null => {
  if (pattern.length !== segments.length) return null;
  const params = new Map<string, string>();
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? "";
    if (!expected.startsWith("{")) {
      if (actual !== expected) return null;
    } else {
      if (actual === "") return null;
      params.set(expected.slice(1, -1), actual);
    }
  }
  return mapOf(params);
};
