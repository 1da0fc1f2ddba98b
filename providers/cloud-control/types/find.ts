/** Finds what an operation has made after AWS has forgotten the operation's token. */
import { AnswerLost } from "#provider/errors.ts";
import type { Answer, JsonObject, MarkedObject } from "#provider/provider.ts";
import type { Accounts, CloudControl } from "../client.ts";
import type { TypeTable } from "../tables/type-table.ts";
import { askedFor } from "./begin.ts";
import { finished, type Operation } from "./follow.ts";
import { clientTokenOf, isMadeHere, ownTagOf } from "./own-tag.ts";
import { driftOf } from "./patch.ts";
import { valueAt } from "./paths.ts";

/** Each listed object costs one call. */
const LOOKED_AT_MAX = 1_000;
const AGAIN_SECONDS = 60;

const unknown = ({ type }: Operation): AnswerLost =>
  new AnswerLost(
    `AWS has forgotten the request, and an object of ${type} cannot be told from others`,
    AGAIN_SECONDS,
  );

const givenIdentifier = ({ table, call }: Operation): string | null => {
  const parts = table.identifier.map((path) => valueAt(call.properties, path));
  return parts.every((part) => typeof part === "string" || typeof part === "number")
    ? parts.join("|")
    : null;
};

const isOwn = (operation: Operation, model: JsonObject): boolean => {
  const { table, call } = operation;
  if (table.tags !== undefined) return ownTagOf(table, model) === clientTokenOf(call.token);
  if (driftOf(table, askedFor(call), model).length > 0) return false;
  throw unknown(operation);
};

const read = ({ account, type, call }: Operation, identifier: string) =>
  account.read(type, identifier, call.signal);

async function* identifiersOf(account: CloudControl, type: string, signal: AbortSignal) {
  let page: string | null = null;
  do {
    const listed: Awaited<ReturnType<CloudControl["list"]>> = await account.list(
      type,
      page,
      signal,
    );
    yield* listed.identifiers;
    page = listed.next;
  } while (page !== null);
}

const findInList = async (operation: Operation): Promise<string | null> => {
  const { account, type, table, call } = operation;
  if (!table.handlers.includes("list")) throw unknown(operation);
  let seen = 0;
  for await (const identifier of identifiersOf(account, type, call.signal)) {
    seen += 1;
    if (seen > LOOKED_AT_MAX) throw unknown(operation);
    const model = await read(operation, identifier);
    if (model !== null && isOwn(operation, model)) return identifier;
  }
  return null;
};

/** @returns null when the operation has made nothing; throws AnswerLost if nobody can tell */
export const findMade = async (operation: Operation): Promise<Answer | null> => {
  if (!operation.table.handlers.includes("read")) throw unknown(operation);
  const given = givenIdentifier(operation);
  if (given === null) {
    const found = await findInList(operation);
    return found === null ? null : finished(operation, found);
  }
  const model = await read(operation, given);
  return model !== null && isOwn(operation, model) ? finished(operation, given) : null;
};

const LIST_MS_MAX = 60_000;

/**
 * For `hearth doctor --objects`. Cloud Control lists only identifiers, so each object costs a call.
 * The tag names neither project nor stack.
 */
export const canList = ({ tags, handlers }: TypeTable): boolean =>
  tags !== undefined && handlers.includes("list") && handlers.includes("read");

export const markedOf =
  (type: string, table: TypeTable, accounts: Accounts) =>
  async (tenant: string): Promise<readonly MarkedObject[]> => {
    const account = await accounts(tenant);
    const signal = AbortSignal.timeout(LIST_MS_MAX);
    const found: MarkedObject[] = [];
    for await (const physicalId of identifiersOf(account, type, signal)) {
      const model = await account.read(type, physicalId, signal);
      if (model !== null && isMadeHere(table, model)) found.push({ physicalId });
    }
    return found;
  };
