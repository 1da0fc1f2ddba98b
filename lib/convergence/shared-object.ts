/**
 * Some providers know an object by a name of the user's, such as a path. Then a replacement can
 * have the physical id of the row that it replaces (P17). Only one of these rows deletes the
 * object. The others leave it, or give it back to the row that is in service again.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Progress } from "#lib/ports/resource-type.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import type { Hold } from "./ask-provider.ts";
import { CHAIN_ROWS_MAX } from "./limits.ts";

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

const replacedBefore = async (ports: Ports, row: Resource): Promise<readonly Resource[]> => {
  const found: Resource[] = [];
  let first = row;
  while (first.replaces !== null && found.length < CHAIN_ROWS_MAX) {
    const former = await ports.store.getResource({ stackId: row.stackId, id: first.replaces });
    if (former === null) break;
    found.unshift(former);
    first = former;
  }
  return found;
};

/**
 * The rows in place of those that `row` has replaced. A tombstone in place of an expired row points
 * nowhere (P10), so the search begins anew at each row that was not found yet.
 */
const inPlaceOfFormer = async (ports: Ports, row: Resource): Promise<readonly Resource[]> => {
  const inPlace: Resource[] = [];
  for (const former of await replacedBefore(ports, row)) {
    if (inPlace.some(({ id }) => id === former.id)) continue;
    inPlace.push(former, ...(await replacementsOf(ports, former)));
  }
  const at = inPlace.findIndex(({ id }) => id === row.id);
  return at < 0 ? inPlace : inPlace.slice(0, at);
};

const holdsObjectOf =
  (row: Resource) =>
  (other: Resource): boolean =>
    isExtant(other) &&
    other.type === row.type &&
    other.physicalResourceId === row.physicalResourceId;

/** A row of the chain has expired (P10), so the chain does not lead to the rows behind it. */
const isCut = (row: Resource, newer: readonly Resource[]): boolean => {
  const last = newer.at(-1) ?? row;
  return last.replacedBy !== null || (last.action === "DELETE" && last.type === "");
};

/** A replacement was made later, so the object already is as the replacement wants it. */
export const newerHolder = async (ports: Ports, row: Resource): Promise<Resource | null> => {
  if (row.physicalResourceId === null) return null;
  const newer = await replacementsOf(ports, row);
  const holder = newer.find(holdsObjectOf(row));
  if (holder !== undefined || !isCut(row, newer)) return holder ?? null;
  const later = await rowsWhere(
    ports,
    row.stackId,
    ({ id, name, createdAt }) =>
      id !== row.id && name === row.name && createdAt >= row.createdAt && id !== row.replaces,
  );
  return later.find(holdsObjectOf(row)) ?? null;
};

/** A row with the same object that `row` has replaced, and that serves again or goes later. */
export const formerHolder = async (ports: Ports, row: Resource): Promise<Resource | null> => {
  if (row.physicalResourceId === null || row.replaces === null) return null;
  return (await inPlaceOfFormer(ports, row)).findLast(holdsObjectOf(row)) ?? null;
};

/** The row's creation may have changed the object, so it gets the properties of `holder` again. */
export const giveBack = async (hold: Hold, holder: Resource): Promise<Progress> => {
  const { ports, type, row, operation, call } = hold;
  const { handleUpdate, checkComplete } = type.lifecycle;
  const kept = {
    state: "finished",
    physicalResourceId: null,
    note: keptFor(row, holder),
  } as const;
  // An object of the user stays as it is (P19).
  const isExternal = holder.externalId !== null;
  if (handleUpdate === undefined || holder.properties === null || isExternal) return kept;
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
