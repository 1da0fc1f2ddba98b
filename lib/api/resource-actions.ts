/**
 * POST …/resources/{name}/signal: a body that names a hook clears the hook; the resource's type
 * gets all other bodies.
 */
import { clearResourceHook, deliverSignal } from "#lib/engine/resources/deliver-signal.ts";
import { isJsonObject } from "#lib/json.ts";
import { type Context, identityOf, jsonBodyOf, param, type Route, STACK } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";

const signal = async (context: Context): Promise<ApiResponse> => {
  const name = param(context, "resource_name");
  const details = jsonBodyOf(context);
  const word = isJsonObject(details) ? details["unset_hook"] : undefined;
  if (word === undefined) await deliverSignal(context.ports, identityOf(context), name, details);
  else await clearResourceHook(context.ports, identityOf(context), name, word);
  return jsonResponse(200, null);
};

export const signalRoutes: readonly Route[] = [
  {
    method: "POST",
    pattern: `${STACK}/resources/{resource_name}/signal`,
    handle: signal,
  },
];
