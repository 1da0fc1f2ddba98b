/** Asks the provider for an operation, and asks again after a worker was lost (P14). */
import { Bug, RetryLater } from "#lib/errors.ts";
import { type HealthState, healthOf, type Operation, type Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  type Handler,
  NO_ADOPTED_ID,
  type Progress,
  type ProviderCall,
  type ResourceType,
} from "#lib/ports/resource-type.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { resourceContext } from "#lib/stack/resource-context.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { handlerFor } from "#lib/stack/type-predicates.ts";
import { releaseLease } from "./claim.ts";
import type { Ending } from "./complete.ts";
import { CHAIN_ROWS_MAX } from "./limits.ts";

export interface Hold {
  readonly ports: Ports;
  readonly stack: Stack;
  readonly type: ResourceType;
  readonly row: Resource;
  readonly operation: Operation;
  readonly call: ProviderCall;
}

export const askProvider = async (hold: Hold, reclaimed: boolean): Promise<Progress> => {
  const { ports, type, operation, call } = hold;
  const context = resourceContext(ports, hold.row);
  try {
    const holder = operation.action === "DELETE" ? await formerHolder(ports, hold.row) : null;
    if (holder !== null) return await giveBack(hold, holder);
    if (operation.handle !== null) {
      const { checkComplete } = type.lifecycle;
      return (await checkComplete?.(call, operation.handle, context)) ?? { state: "finished" };
    }
    if (reclaimed) {
      const found = await findEarlierCall(hold);
      if (found !== null) return found;
    }
    const given = reclaimed ? { ...call, isRepeated: true as const } : call;
    const answer = (await (await handlerOf(hold))?.(given, context)) ?? { state: "finished" };
    return isAsSuspended(hold, answer) ? SUSPENDED : answer;
  } catch (error) {
    // The queue delivers this message again. A second one would double the calls to a busy
    // provider.
    if (error instanceof RetryLater) await releaseLease(ports, hold.row);
    if (error instanceof RetryLater || error instanceof Bug) throw error;
    return { state: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
};

/** A CHECK of a suspended stack expects its objects to be off. */
const isAsSuspended = ({ stack, operation }: Hold, answer: Progress): boolean =>
  stack.suspended &&
  operation.action === "CHECK" &&
  answer.state === "failed" &&
  answer.health === "stopped";

const SUSPENDED: Progress = { state: "finished", note: "it is suspended", isOff: true };

/**
 * Finds the result of a call that an earlier worker may have made.
 * @returns null when the call can be made again.
 */
const findEarlierCall = async ({
  ports,
  type,
  row,
  operation,
  call,
}: Hold): Promise<Progress | null> => {
  const { tokenPolicy: policy, find } = type.lifecycle;
  // The ADOPT of an external object (P19) only looks, so it can be repeated.
  if (operation.action === "ADOPT" && row.externalId !== null) return null;
  if (policy.tokens === "kept") return null;
  if (policy.tokens === "ignored") return unknownOutcome(operation);
  const stillKept =
    policy.tokens === "window" && ports.clock.now() - operation.startedAt < policy.windowMs;
  return stillKept ? null : ((await find?.(call, resourceContext(ports, row))) ?? null);
};

const OUTCOME_UNKNOWN =
  "outcome unknown: the worker was lost during the call, and this provider cannot say whether the call succeeded";
const ANSWER =
  "say what is so with `hearth stack resource resolve`: --import ID, --nothing-was-made or --retry";

export const unknownOutcome = ({ action }: Operation): Ending =>
  action === "CREATE"
    ? { state: "failed", reason: `${OUTCOME_UNKNOWN}; ${ANSWER}`, outcomeUnknown: true }
    : { state: "failed", reason: OUTCOME_UNKNOWN };

/** An earlier worker may have called the missing type. Nobody can look for its object (P18). */
export const withoutType = (
  { resourceTypes }: Ports,
  { type, action, handle }: Operation,
  reclaimed: boolean,
): Ending => {
  const why = resourceTypes.whyMissing?.(type) ?? null;
  const reason = `The Resource Type (${type}) could not be found.${why === null ? "" : ` ${why}`}`;
  if (!reclaimed || action !== "CREATE" || handle !== null) return { state: "failed", reason };
  const asked = `${reason} The creation may have made an object; ${ANSWER}`;
  return { state: "failed", reason: asked, outcomeUnknown: true };
};

export const mayBeLost = async (ports: Ports, { type, action }: Operation): Promise<boolean> => {
  const tokens = (await ports.resourceTypes.get(type))?.lifecycle.tokenPolicy.tokens;
  return tokens === "ignored" && action === "CREATE";
};

const handlerOf = async (hold: Hold): Promise<Handler | undefined> => {
  const { type, operation } = hold;
  const policy = operation.action === "DELETE" ? await deletionPolicy(hold) : undefined;
  // With Retain, a DELETE only gives a shared object back (P17). Here no row is left to give it to.
  if (policy === "Retain") return undefined;
  const handleSnapshotDelete = type.snapshots?.handleSnapshotDelete;
  if (policy === "Snapshot" && handleSnapshotDelete !== undefined) return handleSnapshotDelete;
  const handler = handlerFor(type, operation.action);
  if (operation.action !== "ADOPT") return handler;
  const { externalId } = hold.row;
  return externalId === null ? (handler ?? adopt) : lookAt(type, externalId);
};

/** Heat adopts an external object and then checks it (P19). */
const lookAt =
  ({ lifecycle: { handleCheck } }: ResourceType, externalId: string): Handler =>
  async (call, context) => {
    const named = { ...call, action: "CHECK", physicalResourceId: externalId } as const;
    const found = (await handleCheck?.(named, context)) ?? { state: "finished" as const };
    return found.state === "replace" ? found : { physicalResourceId: externalId, ...found };
  };

/** A delete follows the deletion policy of the template with which the row last succeeded. */
const deletionPolicy = async ({ ports, row }: Hold): Promise<string | undefined> => {
  if (row.templateId === null) return undefined;
  const { template } = await loadTemplate(ports, row.tenant, row.stackId, row.templateId);
  return template.resources.get(row.name)?.deletionPolicy;
};

const adopt: Handler = async ({ adopted }) =>
  adopted?.physicalResourceId
    ? {
        state: "finished",
        physicalResourceId: adopted.physicalResourceId,
        attributes: adopted.resourceData,
      }
    : NO_ADOPTED_ID;

/** "stopped" and "gone" say nothing about properties, and "beyond repair" wants another object. */
const MENDED: ReadonlySet<HealthState> = new Set(["differs", "unknown"]);

export const providerCall = async (
  ports: Ports,
  stack: Stack,
  row: Resource,
  operation: Operation,
): Promise<ProviderCall> => ({
  tenant: row.tenant,
  stackId: row.stackId,
  stackName: stack.name,
  resourceId: row.id,
  resourceName: row.name,
  templateId: operation.templateId,
  action: operation.action,
  token: `${row.id}/${operation.action}/${operation.generation}`,
  generation: operation.generation,
  physicalResourceId: row.physicalResourceId,
  properties: await openProperties(ports, row, operation.properties),
  ...(operation.action === "ADOPT" ? await adoptedOf(ports, row, operation) : {}),
  previousProperties:
    row.properties === null ? null : await openProperties(ports, row, row.properties),
  ...(operation.action === "UPDATE" &&
  (operation.before.status === "FAILED" || healthOf(row).state !== "as made")
    ? { repairs: true as const }
    : {}),
  ...(operation.action === "UPDATE" && MENDED.has(healthOf(row).state)
    ? { mendsDrift: true as const }
    : {}),
  deadline: operation.deadline,
  abandonsUnreachable: operation.action === "DELETE" && stack.abandonsUnreachable,
});

const adoptedOf = async (
  ports: Ports,
  row: Resource,
  { templateId }: Operation,
): Promise<Pick<ProviderCall, "adopted">> => {
  const { source } = await loadTemplate(ports, row.tenant, row.stackId, templateId);
  const adopted = source.adopted?.[row.name];
  return adopted === undefined ? {} : { adopted };
};

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
const giveBack = async (hold: Hold, holder: Resource): Promise<Progress> => {
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

/**
 * Some providers know an object by a name of the user's, such as a path. Then a replacement can
 * have the physical id of the row that it replaces (P17). Only one of these rows deletes the
 * object. The others leave it, or give it back to the row that is in service again.
 */
export const keptFor = ({ physicalResourceId }: Resource, { id }: Resource): string =>
  `The object (${physicalResourceId}) was not deleted: the resource's row ${id} has the same one`;
