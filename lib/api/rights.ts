/** What a token with bounds may do in its project: only read, or use one stack only. */
import { forbidden } from "#lib/errors.ts";
import { mergedMaps } from "#lib/json-map.ts";
import { type Context, parseBodyOf, type Route } from "./context.ts";
import { stackBody } from "./stack-body.ts";

/** They show what would be, and change nothing. */
const ASKING = /\/(?:validate|preview)$/;
/** The document of a server has the signed URLs that report a result. */
const SERVERS_DOCUMENT = "/v1/{tenant}/software_deployments/metadata/{server_id}";

const changes = ({ method, pattern }: Route): boolean =>
  (method !== "GET" && !ASKING.test(pattern)) || pattern === SERVERS_DOCUMENT;

const STACKS = "/v1/{tenant}/stacks";
/** They say nothing of a stack. */
const OF_NO_STACK = /\/(?:validate|build_info|resource_types|template_versions)(?:\/|$)/;

const isOfStack = (stack: string, { method, pattern }: Route, context: Context): boolean => {
  if (pattern.includes("{stack_name}")) return context.params["stack_name"] === stack;
  if (method === "POST" && (pattern === STACKS || pattern === `${STACKS}/preview`))
    return parseBodyOf(stackBody, context).stack_name === stack;
  return OF_NO_STACK.test(pattern) || !pattern.includes("{tenant}");
};

/** Throws 403 for what the token may not do. A list of stacks has the token's stack only. */
export const withinRights = (route: Route, context: Context): Context => {
  const { mayOnlyRead = false, stack } = context.request.rights ?? {};
  if (mayOnlyRead && changes(route)) throw forbidden("This token may only read.");
  if (stack === undefined) return context;
  if (route.method === "GET" && route.pattern === STACKS) {
    const query = mergedMaps(context.request.query, { name: [stack], stack_name: [] });
    return { ...context, request: { ...context.request, query } };
  }
  if (!isOfStack(stack, route, context))
    throw forbidden(`This token is for the stack ${stack} only.`);
  return context;
};
