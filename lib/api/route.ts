/** From a request to its answer: finds the route, calls it, and turns whatever it throws into Heat's error document. */
import { forbidden } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { actionRoutes } from "./actions.ts";
import { catalogRoutes } from "./catalog.ts";
import type { ApiSettings, Route } from "./context.ts";
import { diagnosisRoutes } from "./diagnosis.ts";
import { answer, faultResponse } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { healthRoutes } from "./health.ts";
import { type ApiRequest, type ApiResponse, emptyResponse } from "./http.ts";
import { outputRoutes } from "./outputs.ts";
import { previewCreateRoutes, previewUpdateRoutes } from "./previews.ts";
import { resourceRoutes } from "./resources.ts";
import { signalRoutes } from "./signal.ts";
import { snapshotRoutes } from "./snapshots.ts";
import { softwareConfigRoutes } from "./software-configs.ts";
import { softwareDeploymentRoutes } from "./software-deployments.ts";
import { stackLookupRoutes } from "./stack-lookup.ts";
import { stackRoutes } from "./stacks.ts";
import { validateRoutes } from "./validate.ts";

/** A tenant is part of every key, so it is held to what OpenStack makes project ids and names of. */
const TENANT = /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,254}$/;

interface CompiledRoute {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** In order of precedence: a literal before the parameter that would match it too. */
export const API_ROUTES: readonly Route[] = [
  ...catalogRoutes,
  ...healthRoutes,
  ...validateRoutes,
  ...previewCreateRoutes,
  ...stackRoutes.filter(({ pattern }) => pattern.endsWith("/detail")),
  ...stackLookupRoutes,
  ...stackRoutes,
  ...previewUpdateRoutes,
  ...snapshotRoutes,
  ...actionRoutes,
  ...outputRoutes,
  ...resourceRoutes,
  ...signalRoutes,
  ...softwareConfigRoutes,
  ...softwareDeploymentRoutes,
  ...diagnosisRoutes,
  ...eventRoutes,
];

const ROUTES: readonly CompiledRoute[] = API_ROUTES.map((route) => ({
  route,
  segments: route.pattern.split("/").slice(1),
}));

/** The agents' routes have functions of their own: what arrives here for one has the wrong method. */
const AGENT_ROUTES = [
  { segments: ["v1", "agent", "signal", "{derived_id}"], allow: "PUT,POST" },
  { segments: ["v1", "agent", "metadata", "{server_id}"], allow: "GET,HEAD" },
] as const;

/** Answers every request and throws nothing; `unexpected` is told of errors that the client learns nothing about. */
export const route = (
  ports: Ports,
  settings: ApiSettings,
  request: ApiRequest,
  unexpected: (error: unknown) => void,
): Promise<ApiResponse> => answer(() => dispatch(ports, settings, request), unexpected);

const dispatch = async (
  ports: Ports,
  settings: ApiSettings,
  request: ApiRequest,
): Promise<ApiResponse> => {
  const segments = pathSegments(request.path);
  const matching = ROUTES.flatMap((compiled) => {
    const params = matchSegments(compiled.segments, segments);
    return params ? [{ route: compiled.route, params }] : [];
  });
  const agents = AGENT_ROUTES.find((one) => matchSegments(one.segments, segments) !== null);
  if (agents && request.method !== "OPTIONS") {
    return faultResponse(405, "HTTPMethodNotAllowed", undefined, { Allow: agents.allow });
  }
  if (agents) return emptyResponse(204, { Allow: agents.allow });
  if (matching.length === 0) return faultResponse(404, "HTTPNotFound");
  const allow = [...new Set(matching.map(({ route: { method } }) => method))].join(",");
  if (request.method === "OPTIONS") return emptyResponse(204, { Allow: allow });
  const chosen = matching.find(({ route: { method } }) => method === request.method);
  if (!chosen) return faultResponse(405, "HTTPMethodNotAllowed", undefined, { Allow: allow });
  const { tenant } = chosen.params;
  if (tenant !== undefined && !TENANT.test(tenant)) throw forbidden("Invalid project.");
  // The authorizer has looked before; here its answer meets the very path that is served.
  const isForeign =
    request.tenant !== undefined && tenant !== undefined && tenant !== request.tenant;
  if (isForeign) throw forbidden("You are not authorized to use this project.");
  const callersUrl = `${ports.publicUrl}${request.base ?? ""}`;
  return chosen.route.handle({ ports, settings, callersUrl, request, params: chosen.params });
};

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Decoded one by one, so that an encoded slash stays within its segment. An ARN with plain slashes is one segment too. */
const pathSegments = (path: string): readonly string[] => {
  const segments = path
    .replace(/^\/+|\/+$/g, "")
    .split("/")
    .map(decodeSegment);
  const at = segments.findIndex((segment) => segment.startsWith("arn:openstack:heat:"));
  if (at < 0 || segments[at]?.includes("/")) return segments;
  const arn = segments.slice(at, at + 3).join("/");
  return [...segments.slice(0, at), arn, ...segments.slice(at + 3)];
};

const matchSegments = (
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | null => {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? "";
    if (!expected.startsWith("{")) {
      if (actual !== expected) return null;
    } else {
      if (actual === "") return null;
      params[expected.slice(1, -1)] = actual;
    }
  }
  return params;
};
