/**
 * P18: a user answers whether a creation with an unknown outcome has made an object. The answer is
 * one conditional write on the row as read, and its event records it.
 */
import { asRead } from "#lib/convergence/claim.ts";
import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { actionInProgress, conflict } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceFields } from "#lib/ports/store.ts";
import { rowsNamed, rowsWhere } from "#lib/stack/planned-rows.ts";
import { sealReference } from "#lib/stack/record/reference.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { bestResources, isExtant, rowsLikeTarget } from "#lib/stack/standing-rows.ts";
import { acceptOrRefuse, WRITE_ATTEMPTS_MAX } from "../stacks/accept.ts";
import { refuseMoved } from "../stacks/basis.ts";
import { findLivingStack, type StackIdentity } from "../stacks/find-stack.ts";
import { refuseUnlessAtRest } from "../stacks/stack-actions.ts";
import { resourceNotFound } from "./resource-view.ts";

export type ResolveAnswer =
  | { readonly answer: "import"; readonly physicalResourceId: string }
  | { readonly answer: "nothing was made" }
  | { readonly answer: "retry" };

/** The latest row of the name that waits for an answer. The row's id may be given instead. */
const unansweredRow = async (ports: Ports, stack: Stack, name: string): Promise<Resource> => {
  const named = await rowsWhere(ports, stack.id, (row) => row.name === name || row.id === name);
  const open = named.filter((row) => isExtant(row) && row.outcomeUnknown);
  const latest = open.toSorted((one, other) => other.createdAt - one.createdAt)[0];
  if (latest !== undefined) return latest;
  if (!named.some(isExtant)) throw resourceNotFound(name, stack);
  throw conflict(`The outcome of resource ${name} of stack ${stack.name} is known.`);
};

/** Two rows with one object would both delete it. */
const refuseTaken = async (ports: Ports, row: Resource, id: string): Promise<void> => {
  const [owner] = await rowsWhere(
    ports,
    row.stackId,
    (other) => isExtant(other) && other.type === row.type && other.physicalResourceId === id,
  );
  if (owner !== undefined) {
    throw conflict(`The object ${id} belongs to resource ${owner.name} of the same stack already.`);
  }
};

const RETRIED = { action: "INIT", status: "COMPLETE", templateId: null } as const;

const changeFor = async (
  ports: Ports,
  row: Resource,
  given: ResolveAnswer,
): Promise<Partial<ResourceFields>> => {
  switch (given.answer) {
    case "import": {
      const { physicalResourceId } = given;
      const imported = { refId: physicalResourceId, attributes: {} };
      return {
        status: "COMPLETE",
        statusReason: `Outcome resolved by a user: the object (${physicalResourceId}) was made`,
        physicalResourceId,
        reference: await sealReference(ports, row, imported, null),
        failed: null,
      };
    }
    case "nothing was made":
      return {
        statusReason: "Outcome resolved by a user: nothing was made",
        templateId: null,
      };
    case "retry":
      return {
        ...RETRIED,
        statusReason:
          "Outcome resolved by a user: it is created again; an object of the first call may remain",
        failed: null,
      };
  }
};

/**
 * A retry is an update to the same target. The stack must still want this row: after a rollback the
 * row that it replaced is in service.
 */
const refuseRetry = async (ports: Ports, stack: Stack, row: Resource): Promise<void> => {
  const rows = await rowsNamed(ports, stack.id, row.name);
  const { template } = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const retried = rows.map((one) => (one.id === row.id ? { ...one, ...RETRIED } : one));
  const alike = await rowsLikeTarget(ports, stack, retried);
  const chosen = bestResources(retried, stack.templateId, null, alike).get(row.name);
  const isWanted =
    stack.action !== "DELETE" && template.resources.has(row.name) && chosen?.id === row.id;
  if (isWanted && !stack.suspended) return;
  throw conflict(
    `Stack ${stack.name} is ${stack.action}_${stack.status} and creates no ${row.name}: answer with --import or --nothing-was-made.`,
  );
};

export const resolveResource = async (
  ports: Ports,
  identity: StackIdentity,
  name: string,
  given: ResolveAnswer,
): Promise<void> => {
  for (let attempts = 0; attempts < WRITE_ATTEMPTS_MAX; attempts += 1) {
    const stack = await findLivingStack(ports, identity);
    await refuseMoved(ports, stack, identity.basis);
    if (stack.status === "IN_PROGRESS") throw actionInProgress(stack.name, stack.action);
    const row = await unansweredRow(ports, stack, name);
    if (given.answer === "import") await refuseTaken(ports, row, given.physicalResourceId);
    if (given.answer === "retry") await refuseRetry(ports, stack, row);
    const set = { ...(await changeFor(ports, row, given)), outcomeUnknown: false };
    const write = await ports.store.writeResource(row, [asRead(row)], {
      set: { ...set, updatedAt: ports.clock.now() },
    });
    if (!write.written) continue;
    if (given.answer !== "retry") return;
    await acceptOrRefuse(ports, stack, (now) => {
      refuseUnlessAtRest(now, "CHECK");
      const { templateId } = now;
      return acceptTraversal(ports, now, {
        action: "UPDATE",
        askedBy: identity.askedBy,
        templateId,
      });
    });
    return;
  }
  throw actionInProgress(identity.name, "UPDATE");
};
