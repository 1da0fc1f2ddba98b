/** The verbs delete and abandon. They are accepted in every state of the stack. */

import { asRead } from "#lib/convergence/claim.ts";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { giveUpUnreachable } from "#lib/convergence/signal-resource.ts";
import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { conflict, type RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { NESTED_DEPTH_MAX } from "#lib/stack/limits.ts";
import { rowPages } from "#lib/stack/planned-rows.ts";
import { ABANDONED_TEMPLATE_ID, EMPTY_TEMPLATE_ID } from "#lib/stack/record/template-record.ts";
import { stackDocument } from "#lib/stack/stack-document.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { acceptOrRefuse } from "./accept.ts";
import { refuseMoved } from "./basis.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";

interface DeleteOptions {
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
  // By force, the next call already changes rows.
  await refuseMoved(ports, stack, identity.basis);
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
      // Only the flag changes: the runs on servers that can be reached go on.
      const going = abandonsUnreachable ? await giveUpUnreachable(ports, now) : now;
      return going === null ? { accepted: false } : { accepted: true, stack: going };
    },
    { insists: true, basis: identity.basis },
  );
};

/** An abandon keeps the objects, so a delete during an abandon asks for something else. */
const isDeleting = ({ action, status, templateId }: Stack): boolean =>
  action === "DELETE" && status === "IN_PROGRESS" && templateId === EMPTY_TEMPLATE_ID;

/** The document that adopt reads. It contains every value in clear text, including secrets. */
export const exportStack = async (ports: Ports, identity: StackIdentity): Promise<JsonObject> =>
  stackDocument(ports, await findLivingStack(ports, identity), { withNested: true });

/**
 * Works in every state of the stack, and returns the document that adopt reads. Throws 409 if a
 * creation's outcome is unknown (P18).
 */
export const abandonStack = async (ports: Ports, identity: StackIdentity): Promise<JsonObject> => {
  const stack = await findLivingStack(ports, identity);
  const rows = await unansweredRows(ports, stack.id);
  // The document would not name an object that may exist.
  if (rows.length > 0) throw unanswered(stack, rows, "");
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

const NAMES_MAX = 5;

/** P18: a delete would lose the question whether a creation has made an object. */
const unansweredRows = async (
  ports: Ports,
  stackId: string,
  depth = 0,
): Promise<readonly Resource[]> => {
  const open: Resource[] = [];
  const below: string[] = [];
  for await (const rows of rowPages(ports, stackId)) {
    for (const row of rows.filter(isExtant)) {
      if (row.outcomeUnknown) open.push(row);
      const id = row.physicalResourceId;
      const isStack = id !== null && nestsStack(await ports.resourceTypes.get(row.type));
      if (isStack && depth < NESTED_DEPTH_MAX) below.push(id);
    }
  }
  const nested = await inParallel(below.map((id) => () => unansweredRows(ports, id, depth + 1)));
  return [...open, ...nested.flat()];
};

const unanswered = (
  { name: stackName }: Stack,
  rows: readonly Resource[],
  alternative: string,
): RequestError => {
  const names = rows.slice(0, NAMES_MAX).map(({ name }) => name);
  const more = rows.length > NAMES_MAX ? ` and ${rows.length - NAMES_MAX} more` : "";
  return conflict(
    `Stack ${stackName} has resources whose creation may have made an object: ${names.join(", ")}${more}. Say what is so with \`hearth stack resource resolve\`${alternative}.`,
  );
};

/** Throws 409 if there are such rows, unless the user insists. Then their events say so. */
const askBeforeDelete = async (ports: Ports, stack: Stack, insists: boolean): Promise<void> => {
  const rows = await unansweredRows(ports, stack.id);
  if (rows.length === 0) return;
  if (!insists) throw unanswered(stack, rows, ", or delete the stack with --force");
  // A row that changes meanwhile asks again in its cleanup.
  await inParallel(
    rows.map(
      (row) => () =>
        ports.store.writeResource(row, [asRead(row)], {
          set: {
            outcomeUnknown: false,
            templateId: null,
            statusReason: `Deleted by force without an answer: an object of ${row.type} may remain at its provider`,
            updatedAt: ports.clock.now(),
          },
        }),
    ),
  );
};
