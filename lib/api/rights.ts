/** What a restricted token may do in its project: only read, or use only one stack. */
import { findDeployment } from "#lib/engine/deployments/find-deployment.ts";
import { forbidden } from "#lib/errors.ts";
import { mergedMaps } from "#lib/json.ts";
import { type Context, param, parseBodyOf, tenantOf } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { stackBody } from "./stack-body.ts";

const STACKS = "/v1/{tenant}/stacks";
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
  { method, pattern, isOfNoStack = false }: Route,
  context: Context,
): Promise<boolean> => {
  if (pattern.startsWith(DEPLOYMENT)) return (await stackOfDeployment(context)) === stack;
  if (pattern.includes("{stack_name}")) return context.params["stack_name"] === stack;
  if (method === "POST" && pattern === STACKS)
    return parseBodyOf(stackBody, context).stack_name === stack;
  return isOfNoStack || !pattern.includes("{tenant}");
};

/** Throws 403 for what the token may not do. A list of stacks is reduced to the token's stack. */
export const withinRights = async (route: Route, context: Context): Promise<Context> => {
  const { mayOnlyRead = false, stack } = context.request.rights ?? {};
  const { access = route.method === "GET" ? "reads" : "changes" } = route;
  if (mayOnlyRead && access === "changes") throw forbidden("This token may only read.");
  if (stack === undefined) return context;
  if (route.method === "GET" && route.pattern === STACKS) {
    const query = mergedMaps(context.request.query, { name: [stack], stack_name: [] });
    return { ...context, request: { ...context.request, query } };
  }
  if (!(await isOfStack(stack, route, context)))
    throw forbidden(`This token is for the stack ${stack} only.`);
  return context;
};
