/** P18: a delete would lose the question whether a creation has made an object. */
import { asRead } from "#lib/convergence/claim.ts";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { conflict, type RequestError } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { NESTED_DEPTH_MAX } from "#lib/stack/limits.ts";
import { rowPages } from "#lib/stack/planned-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";

const NAMES_MAX = 5;

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

interface AskedStack {
  readonly id: string;
  readonly name: string;
}

const unanswered = (
  { name: stackName }: AskedStack,
  rows: readonly Resource[],
  alternative: string,
): RequestError => {
  const names = rows.slice(0, NAMES_MAX).map(({ name }) => name);
  const more = rows.length > NAMES_MAX ? ` and ${rows.length - NAMES_MAX} more` : "";
  return conflict(
    `Stack ${stackName} has resources whose creation may have made an object: ${names.join(", ")}${more}. Say what is so with \`hearth stack resource resolve\`${alternative}.`,
  );
};

/** Throws 409, because the abandon document would not name an object that may exist. */
export const askBeforeAbandon = async (ports: Ports, stack: AskedStack): Promise<void> => {
  const rows = await unansweredRows(ports, stack.id);
  if (rows.length > 0) throw unanswered(stack, rows, "");
};

/** Throws 409 if there are such rows, unless the user insists. Then their events say so. */
export const askBeforeDelete = async (
  ports: Ports,
  stack: AskedStack,
  insists: boolean,
): Promise<void> => {
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
