import { findStack, identifyStack } from "#lib/engine/stacks/find-stack.ts";
import { type Context, param, stackUrl, tenantOf } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { routeAt } from "./declared-route.ts";
import { type ApiResponse, emptyResponse } from "./http.ts";
import { queryString } from "./query.ts";

const ARN = /^arn:openstack:heat::[^:]+:stacks\/([^/]+)\/([^/]+)(\/.*)?$/;

const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

const lookup =
  (subPath: string) =>
  async (context: Context): Promise<ApiResponse> => {
    const { ports, request, callersUrl } = context;
    const tenant = tenantOf(context);
    const given = param(context, "stack_name");
    const [, name, id, behindArn = ""] = ARN.exec(given) ?? [];
    const stack =
      name !== undefined && id !== undefined
        ? await findStack(ports, { tenant, name, id })
        : await identifyStack(ports, tenant, given);
    const path = `${subPath}${encodedPath(behindArn)}`;
    const location = `${stackUrl(callersUrl, stack)}${path}${queryString(request.query)}`;
    return emptyResponse(302, { Location: location });
  };

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const POSTABLE = ["resources", "events", "template", "actions"];
const READABLE = [...POSTABLE, "environment", "files"];

const lookupAt = (method: Route["method"], subPath: string): Route =>
  routeAt(method, `/v1/{tenant}/stacks/{stack_name}${subPath}`, lookup(subPath), {
    summary:
      "Leads to the path with the name and the id. The client sends the request again there.",
    answers: { 302: "redirect" },
  });

export const stackLookupRoutes: readonly Route[] = [
  ...METHODS.map((method) => lookupAt(method, "")),
  ...READABLE.map((name) => lookupAt("GET", `/${name}`)),
  ...POSTABLE.map((name) => lookupAt("POST", `/${name}`)),
];
