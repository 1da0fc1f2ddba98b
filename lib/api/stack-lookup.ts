import { findStack, identifyStack } from "#lib/engine/stacks/find-stack.ts";
import { type Context, param, type Route, stackUrl, tenantOf } from "./context.ts";
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
const READABLE = ["resources", "events", "template", "actions", "environment", "files"];
const POSTABLE = ["resources", "events", "template", "actions"];

const subRoute = (method: "GET" | "POST", name: string): Route => ({
  method,
  pattern: `/v1/{tenant}/stacks/{stack_name}/${name}`,
  handle: lookup(`/${name}`),
});

/** Must come before the canonical routes in the table, which would match these names too. */
export const stackLookupRoutes: readonly Route[] = [
  ...METHODS.map((method) => ({
    method,
    pattern: "/v1/{tenant}/stacks/{stack_name}",
    handle: lookup(""),
  })),
  ...READABLE.map((name) => subRoute("GET", name)),
  ...POSTABLE.map((name) => subRoute("POST", name)),
];
