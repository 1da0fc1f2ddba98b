/** The verbs abandon (the stack goes, what it made stays) and export (only its document). */
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { stackDocument } from "#lib/stack/stack-document.ts";
import { ABANDONED_TEMPLATE_ID } from "#lib/stack/template-record.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";

/** Heat's document of a stack, with every value in clear: what adopt takes. */
export const exportStack = async (ports: Ports, identity: StackIdentity): Promise<JsonObject> =>
  stackDocument(ports, await findLivingStack(ports, identity), { withNested: true });

/** Deletes the stack whatever state it is in, and retains all of its resources. Answers the document that it can be adopted with. */
export const abandonStack = async (ports: Ports, identity: StackIdentity): Promise<JsonObject> => {
  const stack = await findLivingStack(ports, identity);
  let document = await stackDocument(ports, stack, { withNested: true });
  await acceptOrRefuse(
    ports,
    stack,
    async (now) => {
      // A stack that is being deleted has no template any more: its document is that of before.
      if (now.action !== "DELETE") document = await stackDocument(ports, now, { withNested: true });
      return acceptTraversal(ports, now, { action: "DELETE", templateId: ABANDONED_TEMPLATE_ID });
    },
    { insists: true },
  );
  return document;
};
