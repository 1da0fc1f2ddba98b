/**
 * P17: some providers know an object by a name of the user's, such as a path. Then a replacement
 * can have the physical id of the row that it replaces: both rows name one object. Of such rows
 * only one deletes it. The others leave it, or give it back to the row that is in service again.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress } from "#lib/ports/resource-type.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import type { Hold } from "./ask-provider.ts";
import { CHAIN_ROWS_MAX } from "./limits.ts";

/** The rows that replace `row`, one after another. */
const replacementsOf = async (ports: Ports, row: Resource): Promise<readonly Resource[]> => {
  const found: Resource[] = [];
  let last = row;
  while (last.replacedBy !== null && found.length < CHAIN_ROWS_MAX) {
    const next = await ports.store.getResource({ stackId: row.stackId, id: last.replacedBy });
    if (next === null) break;
    found.push(next);
    last = next;
  }
  return found;
};

/** The row at the beginning of the chain: up the rows that were replaced. */
const firstOfChain = async (ports: Ports, row: Resource): Promise<Resource> => {
  let first = row;
  for (let rows = 0; first.replaces !== null && rows < CHAIN_ROWS_MAX; rows++) {
    const former = await ports.store.getResource({ stackId: row.stackId, id: first.replaces });
    if (former === null) break;
    first = former;
  }
  return first;
};

const holdsObjectOf =
  (row: Resource) =>
  (other: Resource): boolean =>
    isExtant(other) &&
    other.type === row.type &&
    other.physicalResourceId === row.physicalResourceId;

/**
 * A replacement of the row has the same object. It was made later, so the object is as the
 * replacement wants it.
 */
export const newerHolder = async (ports: Ports, row: Resource): Promise<Resource | null> =>
  row.physicalResourceId === null
    ? null
    : ((await replacementsOf(ports, row)).find(holdsObjectOf(row)) ?? null);

/**
 * The row has replaced another one, which has the same object and is in its place again or goes
 * later. So while a row is there that others require, its object is there.
 */
export const formerHolder = async (ports: Ports, row: Resource): Promise<Resource | null> => {
  if (row.physicalResourceId === null || row.replaces === null) return null;
  const first = await firstOfChain(ports, row);
  const inPlace = [first, ...(await replacementsOf(ports, first))];
  const at = inPlace.findIndex(({ id }) => id === row.id);
  const former = at < 0 ? inPlace : inPlace.slice(0, at);
  return former.findLast(holdsObjectOf(row)) ?? null;
};

/**
 * The DELETE of a row whose object belongs to `holder`. Its creation may have changed the object at
 * any time, so the object gets the properties of `holder` once more.
 */
export const giveBack = async (hold: Hold, holder: Resource): Promise<Progress> => {
  const { ports, type, row, operation, call } = hold;
  const { handleUpdate, checkComplete } = type.lifecycle;
  const kept = {
    state: "finished",
    physicalResourceId: null,
    note: keptFor(row, holder),
  } as const;
  if (handleUpdate === undefined || holder.properties === null) return kept;
  const update = {
    ...call,
    action: "UPDATE",
    previousProperties: call.properties,
    properties: await openProperties(ports, holder, holder.properties),
  } as const;
  const { handle } = operation;
  const ask: Handler = (asked, context) =>
    handle === null || checkComplete === undefined
      ? handleUpdate(asked, context)
      : checkComplete(asked, handle, context);
  const progress = await ask(update, resourceContext(ports, row));
  return progress.state === "waiting" || progress.state === "failed" ? progress : kept;
};

export const keptFor = ({ physicalResourceId }: Resource, { id }: Resource): string =>
  `The object (${physicalResourceId}) was not deleted: the resource's row ${id} has the same one`;
