/** The verbs cancel_update, which rolls back, and cancel_without_rollback, which only stops. */
import {
  acceptTraversal,
  cancelWithoutRollback,
  lastGoodTarget,
} from "#lib/convergence/traversal.ts";
import { notSupported, RequestError } from "#lib/errors.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";

/** For an update in progress. Starts a traversal to the last good target, or to an empty one. */
export const cancelUpdate = async (ports: Ports, identity: StackIdentity): Promise<Stack> =>
  acceptOrRefuse(ports, await findLivingStack(ports, identity), (now) => {
    refuseCancel(now, ["UPDATE"]);
    return acceptTraversal(ports, now, { action: "ROLLBACK", ...lastGoodTarget(now) });
  });

/** For an update or a create in progress. Running operations end, and no new ones start. */
export const cancelUpdateWithoutRollback = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<Stack> =>
  acceptOrRefuse(ports, await findLivingStack(ports, identity), (now) => {
    refuseCancel(now, ["UPDATE", "CREATE"]);
    return cancelWithoutRollback(ports, now);
  });

const DELETE_GOES_ON =
  "A delete cannot be cancelled. If it waits for servers that cannot be reached, use `hearth stack delete --abandon-unreachable`.";

const refuseCancel = (stack: Stack, allowed: readonly StackAction[]): void => {
  if (stack.status === "IN_PROGRESS" && allowed.includes(stack.action)) return;
  const isDeleting = stack.status === "IN_PROGRESS" && stack.action === "DELETE";
  const refusal = notSupported(`Cancelling update when stack is ${stack.action}_${stack.status}`);
  if (!isDeleting) throw refusal;
  throw new RequestError(refusal.code, refusal.status, `${refusal.message} ${DELETE_GOES_ON}`);
};
