/** The actions of Heat's API: suspend, resume, check, cancel_update, cancel_without_rollback. */
import {
  acceptTraversal,
  cancelWithoutRollback,
  lastGoodTarget,
} from "#lib/convergence/traversal/traversal.ts";
import { actionInProgress, notSupported, RequestError } from "#lib/errors.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { pollOlderOperations } from "#lib/resources/nested/older-operations.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";

const FEATURE = {
  SUSPEND: "Suspending",
  RESUME: "Resuming",
  CHECK: "Checking",
  SNAPSHOT: "Snapshotting",
  RUN_AGAIN: "Running deployments again in",
} as const;

/** For suspend, resume and check. They keep the target, so the stack must be at rest. */
export const actOnStack = async (
  ports: Ports,
  identity: StackIdentity,
  action: "SUSPEND" | "RESUME" | "CHECK",
): Promise<Stack> =>
  acceptOrRefuse(
    ports,
    await findLivingStack(ports, identity),
    (now) => {
      refuseUnlessAtRest(now, action);
      const { templateId } = now;
      return acceptTraversal(ports, now, { action, askedBy: identity.askedBy, templateId });
    },
    identity,
  );

export const refuseUnlessAtRest = (stack: Stack, action: keyof typeof FEATURE): void => {
  if (stack.status === "IN_PROGRESS") throw actionInProgress(stack.name, stack.action);
  // Another action would hide the failed delete, and the stack could be updated again.
  if (stack.action === "DELETE") {
    throw notSupported(`${FEATURE[action]} a stack when it is deleting`);
  }
  if (action === "RESUME" && !stack.suspended) {
    throw notSupported("Resuming a stack when it is not suspended");
  }
};

/** Rolls back, while `cancelUpdateWithoutRollback` only stops. */
export const cancelUpdate = async (ports: Ports, identity: StackIdentity): Promise<Stack> =>
  acceptOrRefuse(
    ports,
    await findLivingStack(ports, identity),
    (now) => {
      refuseCancel(now, ["UPDATE"]);
      const { askedBy } = identity;
      return acceptTraversal(ports, now, { action: "ROLLBACK", askedBy, ...lastGoodTarget(now) });
    },
    identity,
  );

/**
 * For an update or a create in progress. Running operations end, and no new ones start. No visit
 * follows that would reach the nested stacks, so their operations are polled at once.
 */
export const cancelUpdateWithoutRollback = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<Stack> => {
  const found = await findLivingStack(ports, identity);
  const stop = (now: Stack) => {
    refuseCancel(now, ["UPDATE", "CREATE"]);
    return cancelWithoutRollback(ports, now);
  };
  const stack = await acceptOrRefuse(ports, found, stop, identity);
  await pollOlderOperations(ports, { tenant: stack.tenant, stackId: stack.id });
  return stack;
};

const INSTEAD: Readonly<Record<string, string>> = {
  CREATE_IN_PROGRESS:
    "A create has no former state to go back to. `hearth stack delete` undoes it, and `hearth stack cancel --no-rollback` stops it and keeps what is there.",
  CREATE_FAILED: "It has ended. `hearth stack delete` undoes a create.",
  ADOPT_IN_PROGRESS:
    "An adoption ends by itself. `hearth stack abandon` undoes it, and keeps the resources.",
  RESTORE_IN_PROGRESS: "A restore ends like an update. A newer update or restore overtakes it.",
  ROLLBACK_IN_PROGRESS:
    "A rollback goes on until the last good target. A newer update overtakes it.",
  DELETE_IN_PROGRESS:
    "A delete cannot be cancelled. If it waits for servers that cannot be reached, use `hearth stack delete --abandon-unreachable`.",
};

const refuseCancel = ({ action, status }: Stack, allowed: readonly StackAction[]): void => {
  if (status === "IN_PROGRESS" && allowed.includes(action)) return;
  const refusal = notSupported(`Cancelling update when stack is ${action}_${status}`);
  const instead = INSTEAD[`${action}_${status}`];
  if (instead === undefined) throw refusal;
  throw new RequestError(refusal.code, refusal.status, `${refusal.message} ${instead}`);
};
