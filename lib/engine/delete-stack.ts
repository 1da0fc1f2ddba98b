/** The verb delete. It is accepted in every state of the stack. */
import { giveUpUnreachable } from "#lib/convergence/give-up-unreachable.ts";
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { type Acceptance, acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { askBeforeDelete } from "./unanswered-rows.ts";

export interface DeleteOptions {
  /** Deployments whose server cannot be reached are given up. */
  readonly abandonsUnreachable?: boolean;
  /** Resources whose creation may have made an object are deleted without an answer (P18). */
  readonly insists?: boolean;
}

/** 404 for a deleted stack. 409 only if other writers win every attempt. */
export const deleteStack = async (
  ports: Ports,
  identity: StackIdentity,
  { abandonsUnreachable = false, insists = false }: DeleteOptions = {},
): Promise<Stack> => {
  const stack = await findLivingStack(ports, identity);
  await askBeforeDelete(ports, stack, insists);
  return acceptOrRefuse(
    ports,
    stack,
    (now) =>
      abandonsUnreachable && isDeleting(now)
        ? goOnWithout(ports, now)
        : acceptTraversal(ports, now, {
            action: "DELETE",
            templateId: EMPTY_TEMPLATE_ID,
            abandonsUnreachable,
          }),
    { insists: true },
  );
};

const isDeleting = ({ action, status }: Stack): boolean =>
  action === "DELETE" && status === "IN_PROGRESS";

/** Another traversal would also end the runs on servers that can be reached. */
const goOnWithout = async (ports: Ports, stack: Stack): Promise<Acceptance> => {
  const write = await giveUpUnreachable(ports, stack);
  return write === null ? { accepted: false } : { accepted: true, stack: write };
};
