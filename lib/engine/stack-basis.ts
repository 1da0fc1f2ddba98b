/**
 * A text that identifies what a plan was made on. It changes when a request or the end of an
 * operation has changed what an update would do, also in nested stacks: a group may have been
 * scaled. Polls and signals of deployments and wait conditions do not change it.
 */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { RequestError } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { stackBelow } from "#lib/resources/nested/stack-below.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { rowPages } from "#lib/stack/planned-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";

const factsOf = (row: Resource): string => {
  const { id, action, status, generation, templateId, replacedBy, operation, externalId } = row;
  const facts = [action, status, generation, templateId, replacedBy, operation === null];
  return JSON.stringify([id, ...facts, externalId, row.outcomeUnknown, row.pause]);
};

export const stackBasis = async (ports: Ports, stack: Stack): Promise<string> => {
  const { traversalId, statusVersion, running, lastGood } = stack;
  let basis = ports.ids.derive(
    "basis",
    traversalId,
    String(statusVersion),
    `${running} ${lastGood}`,
  );
  for await (const page of rowPages(ports, stack.id)) {
    const rows = page.filter(isExtant);
    if (rows.length === 0) continue;
    const below = await inParallel(rows.map((row) => () => basisBelow(ports, row)));
    basis = ports.ids.derive("basis", basis, ...rows.map(factsOf), ...below);
  }
  return basis;
};

const basisBelow = async (ports: Ports, row: Resource): Promise<string> => {
  if (!nestsStack(await ports.resourceTypes.get(row.type))) return "";
  const stack = await stackBelow(ports, row);
  return stack === null ? "" : stackBasis(ports, stack);
};

export const refuseIfMoved = async (ports: Ports, stack: Stack, basis: string): Promise<void> => {
  if ((await stackBasis(ports, stack)) === basis) return;
  throw new RequestError(
    "StackMoved",
    409,
    `The stack ${stack.name} has moved since the plan was made. Preview the update again.`,
  );
};
