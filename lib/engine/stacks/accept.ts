/** The conditional write of every verb on an existing stack, and what a lost race means. */
import { actionInProgress, entityNotFound } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { refuseMoved } from "./basis.ts";
import { isDeleted, type StackIdentity } from "./find-stack.ts";

/** The engine may change the record between a read and a write. Then the verb reads again. */
export const WRITE_ATTEMPTS_MAX = 4;
/** So many requests may be accepted between the reads and the writes of an insisting one. */
const INSISTING_ATTEMPTS_MAX = 64;

type Acceptance = { readonly accepted: true; readonly stack: Stack } | { readonly accepted: false };

/**
 * Tries again if only the engine changed the stack, for example because a traversal ended. Answers
 * 409 if another request started a traversal first, unless the verb `insists`, and if the stack is
 * no longer as in `basis`. Each `attempt` checks the present stack and throws its own refusals.
 */
export const acceptOrRefuse = async (
  ports: Ports,
  read: Stack,
  attempt: (stack: Stack) => Promise<Acceptance>,
  { insists = false, basis }: { readonly insists?: boolean } & Pick<StackIdentity, "basis"> = {},
): Promise<Stack> => {
  const attemptsMax = insists ? INSISTING_ATTEMPTS_MAX : WRITE_ATTEMPTS_MAX;
  let stack = read;
  for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
    await refuseMoved(ports, stack, basis);
    if (stack.traversalId !== read.traversalId && !insists) break;
    const answer = await attempt(stack);
    if (answer.accepted) return answer.stack;
    const now = await ports.store.getStack(stack.tenant, stack.id);
    if (!now || isDeleted(now)) throw entityNotFound("Stack", stack.name);
    stack = now;
  }
  throw actionInProgress(stack.name, stack.action);
};
