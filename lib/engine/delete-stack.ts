/** The verb delete. It is accepted in every state of the stack. */
import { giveUpUnreachable } from "#lib/convergence/give-up-unreachable.ts";
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { type Acceptance, acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";

export interface DeleteOptions {
  /** Deployments whose server cannot be reached are given up. */
  readonly abandonsUnreachable?: boolean;
}

/** 404 for a deleted stack. 409 only if other writers win every attempt. */
export const deleteStack = async (
  ports: Ports,
  identity: StackIdentity,
  { abandonsUnreachable = false }: DeleteOptions = {},
): Promise<Stack> =>
  acceptOrRefuse(
    ports,
    await findLivingStack(ports, identity),
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

const isDeleting = ({ action, status }: Stack): boolean =>
  action === "DELETE" && status === "IN_PROGRESS";

/** Another traversal would also end the runs on servers that can be reached. */
const goOnWithout = async (ports: Ports, stack: Stack): Promise<Acceptance> => {
  const write = await giveUpUnreachable(ports, stack);
  return write === null ? { accepted: false } : { accepted: true, stack: write };
};
