/** The verbs suspend, resume and check. They keep the target, so the stack must be at rest. */
import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { actionInProgress, notSupported } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";

export type RestingAction = "SUSPEND" | "RESUME" | "CHECK";

const FEATURE = {
  SUSPEND: "Suspending",
  RESUME: "Resuming",
  CHECK: "Checking",
  SNAPSHOT: "Snapshotting",
  RUN_AGAIN: "Running deployments again in",
} as const;

export const actOnStack = async (
  ports: Ports,
  identity: StackIdentity,
  action: RestingAction,
): Promise<Stack> =>
  acceptOrRefuse(ports, await findLivingStack(ports, identity), (now) => {
    refuseUnlessAtRest(now, action);
    return acceptTraversal(ports, now, {
      action,
      askedBy: identity.askedBy,
      templateId: now.templateId,
    });
  });

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
