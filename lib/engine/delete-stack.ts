/** The verb delete. It is accepted in every state of the stack. */
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";

/** 404 for a deleted stack. 409 only if other writers win every attempt. */
export const deleteStack = async (ports: Ports, identity: StackIdentity): Promise<Stack> =>
  acceptOrRefuse(
    ports,
    await findLivingStack(ports, identity),
    (now) => acceptTraversal(ports, now, { action: "DELETE", templateId: EMPTY_TEMPLATE_ID }),
    { insists: true },
  );
