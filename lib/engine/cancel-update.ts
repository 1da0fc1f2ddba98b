/** The verbs cancel_update (roll back now) and cancel_without_rollback (stop where it stands). */
import { acceptTraversal, cancelWithoutRollback } from "#lib/convergence/traversal.ts";
import { notSupported } from "#lib/errors.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";

/** Only for an update in progress: a new traversal to the last target that was reached, or to nothing. */
export const cancelUpdate = async (ports: Ports, identity: StackIdentity): Promise<Stack> => {
  const stack = await findLivingStack(ports, identity);
  return acceptOrRefuse(ports, stack, (now) => {
    refuseCancel(now, ["UPDATE"]);
    return acceptTraversal(ports, now, {
      action: "ROLLBACK",
      templateId: now.lastGood ?? EMPTY_TEMPLATE_ID,
    });
  });
};

/** For an update or a create in progress: FAILED "cancelled"; what is under way ends by itself and nothing new starts. */
export const cancelUpdateWithoutRollback = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<Stack> => {
  const stack = await findLivingStack(ports, identity);
  return acceptOrRefuse(ports, stack, (now) => {
    refuseCancel(now, ["UPDATE", "CREATE"]);
    return cancelWithoutRollback(ports, now);
  });
};

const refuseCancel = (stack: Stack, allowed: readonly StackAction[]): void => {
  if (stack.status === "IN_PROGRESS" && allowed.includes(stack.action)) return;
  throw notSupported(`Cancelling update when stack is ${stack.action}_${stack.status}`);
};
