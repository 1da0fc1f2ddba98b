/** The verb delete. It is accepted in every state of the stack. */
import { giveUpUnreachable } from "#lib/convergence/signal-resource.ts";
import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { type Acceptance, acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { askBeforeDelete } from "./unanswered-rows.ts";

export interface DeleteOptions {
  readonly abandonsUnreachable?: boolean;
  /** Delete even if a creation's outcome is unknown (P18). */
  readonly insists?: boolean;
}

/**
 * Throws 404 for a deleted stack, and 409 only if other writers win every attempt. If a delete
 * already runs, asking again changes nothing.
 */
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
    async (now) => {
      if (!isDeleting(now)) {
        return acceptTraversal(ports, now, {
          action: "DELETE",
          askedBy: identity.askedBy,
          templateId: EMPTY_TEMPLATE_ID,
          abandonsUnreachable,
        });
      }
      return abandonsUnreachable ? goOnWithout(ports, now) : { accepted: true, stack: now };
    },
    { insists: true },
  );
};

/** An abandon keeps the objects, so a delete during an abandon asks for something else. */
const isDeleting = ({ action, status, templateId }: Stack): boolean =>
  action === "DELETE" && status === "IN_PROGRESS" && templateId === EMPTY_TEMPLATE_ID;

/** Only the flag changes: the runs on servers that can be reached go on. */
const goOnWithout = async (ports: Ports, stack: Stack): Promise<Acceptance> => {
  const write = await giveUpUnreachable(ports, stack);
  return write === null ? { accepted: false } : { accepted: true, stack: write };
};
