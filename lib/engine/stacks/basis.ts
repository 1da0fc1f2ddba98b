/**
 * What a request was prepared on. A user decides on what a page or a plan shows, and somebody else
 * may change the stack before the request arrives. A request that names its basis then gets 409
 * and changes nothing.
 *
 * A stack's basis is its traversal, so it changes when another operation is accepted. A preview's
 * basis adds a digest of all that an update would read.
 */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { RequestError } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { stackBelow } from "#lib/resources/nested/nested-stack.ts";
import { rowPages } from "#lib/stack/planned-rows.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { isoTime } from "#lib/texts.ts";

export const stackBasis = ({ traversalId }: Stack): string => traversalId;

/**
 * It also changes when the end of an operation has changed what an update would do, also in nested
 * stacks: a group may have been scaled. Polls and signals of deployments and wait conditions do not
 * change it.
 */
export const previewBasis = async (ports: Ports, stack: Stack): Promise<string> =>
  `${stackBasis(stack)}.${await digestOf(ports, stack)}`;

/** @returns null if the stack is as it was, and otherwise a sentence that says what has changed. */
export const whatMoved = async (
  ports: Ports,
  stack: Stack,
  basis: string | undefined,
): Promise<string | null> => {
  if (basis === undefined || basis === stackBasis(stack)) return null;
  const isSameOperation = basis.startsWith(`${stackBasis(stack)}.`);
  if (isSameOperation && basis === (await previewBasis(ports, stack))) return null;
  const what = isSameOperation ? await newestText(ports, stack) : operationText(stack);
  return `The stack ${stack.name} has moved since this request was prepared: ${what}.`;
};

/** Throws 409. */
export const refuseMoved = async (
  ports: Ports,
  stack: Stack,
  basis: string | undefined,
): Promise<void> => {
  const moved = await whatMoved(ports, stack, basis);
  if (moved === null) return;
  const advice = "Nothing was changed. Look at the stack again before you repeat the request.";
  throw new RequestError("StackMoved", 409, `${moved} ${advice}`);
};

const operationText = ({ actor, action, status, updatedAt, createdAt }: Stack): string => {
  const asked = actor === null ? "" : `, asked for by ${actor},`;
  return `${action} began at ${isoTime(updatedAt ?? createdAt)}${asked} and is ${status}`;
};

interface Moment {
  readonly at: number;
  readonly what: string;
}

const newestText = async (ports: Ports, stack: Stack): Promise<string> => {
  const { at, what } = await newestChange(ports, stack, []);
  return `the newest change is of ${isoTime(at)}: ${what}`;
};

const newestChange = async (
  ports: Ports,
  stack: Stack,
  path: readonly string[],
): Promise<Moment> => {
  const { action, status, endedAt, updatedAt, createdAt } = stack;
  const name = path.length === 0 ? "the stack" : path.join("/");
  let newest = { at: endedAt ?? updatedAt ?? createdAt, what: `${name} is ${action}_${status}` };
  const take = (moment: Moment): void => {
    if (moment.at > newest.at) newest = moment;
  };
  for await (const page of rowPages(ports, stack.id)) {
    for (const row of page.filter(isExtant)) {
      const place = [...path, row.name];
      take({ at: row.updatedAt, what: `${place.join("/")} is ${row.action}_${row.status}` });
      const below = await nestedBy(ports, row);
      if (below !== null) take(await newestChange(ports, below, place));
    }
  }
  return newest;
};

const factsOf = (row: Resource): string => {
  const { id, action, status, generation, templateId, replacedBy, operation, externalId } = row;
  const facts = [action, status, generation, templateId, replacedBy, operation === null];
  return JSON.stringify([id, ...facts, externalId, row.outcomeUnknown, row.pause]);
};

const digestOf = async (ports: Ports, stack: Stack): Promise<string> => {
  const { traversalId, statusVersion, running, lastGood } = stack;
  const state = `${running} ${lastGood}`;
  let digest = ports.ids.derive("basis", traversalId, String(statusVersion), state);
  for await (const page of rowPages(ports, stack.id)) {
    const rows = page.filter(isExtant);
    if (rows.length === 0) continue;
    const below = await inParallel(
      rows.map((row) => async () => {
        const nested = await nestedBy(ports, row);
        return nested === null ? "" : digestOf(ports, nested);
      }),
    );
    digest = ports.ids.derive("basis", digest, ...rows.map(factsOf), ...below);
  }
  return digest;
};

const nestedBy = async (ports: Ports, row: Resource): Promise<Stack | null> =>
  nestsStack(await ports.resourceTypes.get(row.type)) ? stackBelow(ports, row) : null;
