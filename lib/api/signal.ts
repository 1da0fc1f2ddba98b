/** POST …/resources/{name}/signal: any JSON, or none. */
import { deliverSignal } from "#lib/engine/deliver-signal.ts";
import { type Context, identityOf, jsonBodyOf, param, type Route } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";

const signal = async (context: Context): Promise<ApiResponse> => {
  const name = param(context, "resource_name");
  await deliverSignal(context.ports, identityOf(context), name, jsonBodyOf(context));
  return jsonResponse(200, null);
};

export const signalRoutes: readonly Route[] = [
  {
    method: "POST",
    pattern: "/v1/{tenant}/stacks/{stack_name}/{stack_id}/resources/{resource_name}/signal",
    handle: signal,
  },
];
