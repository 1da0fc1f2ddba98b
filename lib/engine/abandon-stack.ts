import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { stackDocument } from "#lib/stack/stack-document.ts";
import { ABANDONED_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { askBeforeAbandon } from "./unanswered-rows.ts";

/** The document that adopt reads. It contains every value in clear text, including secrets. */
export const exportStack = async (ports: Ports, identity: StackIdentity): Promise<JsonObject> =>
  stackDocument(ports, await findLivingStack(ports, identity), { withNested: true });

/**
 * Works in every state of the stack, and returns the document that adopt reads. Throws 409 if a
 * creation's outcome is unknown (P18).
 */
export const abandonStack = async (ports: Ports, identity: StackIdentity): Promise<JsonObject> => {
  const stack = await findLivingStack(ports, identity);
  await askBeforeAbandon(ports, stack);
  let document = await stackDocument(ports, stack, { withNested: true });
  await acceptOrRefuse(
    ports,
    stack,
    async (now) => {
      // A delete's target is empty, so the document from before it is kept.
      if (now.action !== "DELETE") document = await stackDocument(ports, now, { withNested: true });
      return acceptTraversal(ports, now, {
        action: "DELETE",
        askedBy: identity.askedBy,
        templateId: ABANDONED_TEMPLATE_ID,
      });
    },
    { insists: true },
  );
  return document;
};
