/** What a restricted token may do in its project: only read, or use only one stack. */
import { findDeployment } from "#lib/engine/deployments/find-deployment.ts";
import { forbidden } from "#lib/errors.ts";
import { mergedMaps } from "#lib/json.ts";
import { type Context, param, parseBodyOf, type Route, tenantOf } from "./context.ts";
import { stackBody } from "./stack-body.ts";

/** These POST routes change nothing. */
const ASKING = /\/(?:validate|preview)$/;
/** A server's document contains the signed URLs that report a result, so it counts as a change. */
const SERVERS_DOCUMENT = "/v1/{tenant}/software_deployments/metadata/{server_id}";

const changes = ({ method, pattern }: Route): boolean =>
  (method !== "GET" && !ASKING.test(pattern)) || pattern === SERVERS_DOCUMENT;

const STACKS = "/v1/{tenant}/stacks";
/**
 * These routes reveal nothing about existing stacks. `hearth template validate` requests a preview.
 */
const OF_NO_STACK =
  /\/(?:validate|stacks\/preview|build_info|resource_types|template_versions)(?:\/|$)/;

const DEPLOYMENT = "/v1/{tenant}/software_deployments/{deployment_id}";

const stackOfDeployment = async (context: Context): Promise<string | null> => {
  const { store } = context.ports;
  const tenant = tenantOf(context);
  const id = param(context, "deployment_id");
  const { stackId } = await findDeployment(context.ports, tenant, id);
  const stack = await store.getStack(tenant, stackId);
  const root = stack?.owner ? await store.getStack(tenant, stack.owner.rootId) : stack;
  return root?.name ?? null;
};

const isOfStack = async (
  stack: string,
  { method, pattern }: Route,
  context: Context,
): Promise<boolean> => {
  if (pattern.startsWith(DEPLOYMENT)) return (await stackOfDeployment(context)) === stack;
  if (pattern.includes("{stack_name}")) return context.params["stack_name"] === stack;
  if (method === "POST" && pattern === STACKS)
    return parseBodyOf(stackBody, context).stack_name === stack;
  return OF_NO_STACK.test(pattern) || !pattern.includes("{tenant}");
};

/** Throws 403 for what the token may not do. A list of stacks is reduced to the token's stack. */
export const withinRights = async (route: Route, context: Context): Promise<Context> => {
  const { mayOnlyRead = false, stack } = context.request.rights ?? {};
  if (mayOnlyRead && changes(route)) throw forbidden("This token may only read.");
  if (stack === undefined) return context;
  if (route.method === "GET" && route.pattern === STACKS) {
    const query = mergedMaps(context.request.query, { name: [stack], stack_name: [] });
    return { ...context, request: { ...context.request, query } };
  }
  if (!(await isOfStack(stack, route, context)))
    throw forbidden(`This token is for the stack ${stack} only.`);
  return context;
};
