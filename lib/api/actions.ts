import type { StackIdentity } from "#lib/engine/stacks/find-stack.ts";
import {
  actOnStack,
  cancelUpdate,
  cancelUpdateWithoutRollback,
} from "#lib/engine/stacks/stack-actions.ts";
import { badRequest } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { bodyOf, type Context, identityOf, type Route, STACK } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";

type Verb = (ports: Ports, identity: StackIdentity) => Promise<unknown>;

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ["suspend", (ports, identity) => actOnStack(ports, identity, "SUSPEND")],
  ["resume", (ports, identity) => actOnStack(ports, identity, "RESUME")],
  ["check", (ports, identity) => actOnStack(ports, identity, "CHECK")],
  ["cancel_update", cancelUpdate],
  ["cancel_without_rollback", cancelUpdateWithoutRollback],
]);

const act = async (context: Context): Promise<ApiResponse> => {
  const [name, ...others] = Object.keys(bodyOf(context));
  if (name === undefined) throw badRequest("No action specified");
  if (others.length > 0) throw badRequest("Multiple actions specified");
  const verb = VERBS.get(name);
  if (!verb) throw badRequest(`Invalid action ${name} specified`);
  await verb(context.ports, identityOf(context));
  return jsonResponse(200, null);
};

export const actionRoutes: readonly Route[] = [
  { method: "POST", pattern: `${STACK}/actions`, handle: act },
];
