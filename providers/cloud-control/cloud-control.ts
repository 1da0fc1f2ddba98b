/** All `AWS::*` types that Cloud Control can make (docs/run-on-aws-types.md). */

import type { Answer, Call, JsonObject, ProvidedType } from "#provider/provider.ts";
import { type Accounts, asked } from "./client.ts";
import { packedTables } from "./tables/packed-tables.ts";
import { readTables, type TypeTable, type TypeTables } from "./tables/type-table.ts";
import { askedFor, beginCreate, beginDelete, beginUpdate } from "./types/begin.ts";
import { canList, findMade, markedOf } from "./types/find.ts";
import { type Begin, follow, type Operation, readHandle, requestOf } from "./types/follow.ts";
import { driftOf } from "./types/patch.ts";
import { isSameValue, valueAt, withoutNulls } from "./types/paths.ts";
import { attributesOf, attributeValues, propertiesOf, uniqueByOf } from "./types/properties.ts";

export interface CloudControlProvider {
  readonly name: string;
  readonly names: readonly string[];
  readonly unlisted: typeof UNLISTED;
  type(name: string): CloudControlType | null;
}

const PREFIX = "AWS::";

/** `hearth doctor --objects` shows this, because listing every type would take too many calls. */
const UNLISTED = {
  types: "other AWS::* types",
  why: "only the types that a stack of the project has are listed; `aws resourcegroupstaggingapi get-resources --tag-filters Key=hearth:operation` lists the objects of all that take tags",
  isRequest: (physicalId: string): boolean => requestOf(physicalId) !== null,
} as const;

export const cloudControlProvider = (accounts: Accounts): CloudControlProvider => {
  let unpacked: TypeTables | null = null;
  const tables = (): TypeTables => {
    unpacked ??= readTables(packedTables());
    return unpacked;
  };
  return {
    name: "aws",
    unlisted: UNLISTED,
    get names() {
      return tables().names;
    },
    type: (name) => {
      const table = name.startsWith(PREFIX) ? tables().table(name) : null;
      return table && cloudControlType(name, table, accounts);
    },
  };
};

/** AWS repeats the first answer to a token for this long. */
const TOKEN_SECONDS = 36 * 3_600;

export interface CloudControlType extends ProvidedType {
  readonly mustReplace: (before: JsonObject, after: JsonObject) => boolean;
}

/** No patch can restore a create-only property, or a create-only part of it. */
const isFixed = ({ table, call }: Operation, live: JsonObject, name: string): boolean =>
  table.createOnly.some((path) => {
    if (path !== name && !path.startsWith(`${name}/`)) return false;
    return !isSameValue(valueAt(askedFor(call), path), valueAt(live, path));
  });

/** An imported object is not compared, since its template need not describe it. */
const check = async (operation: Operation): Promise<Answer> => {
  const { type, table, account, call } = operation;
  if (!table.handlers.includes("read")) return { state: "finished" };
  const live = await account.read(type, call.physicalId ?? "", call.signal);
  if (live === null) return { state: "gone" };
  const drift = call.previousProperties === null ? [] : driftOf(table, askedFor(call), live);
  if (drift.length === 0) return { state: "finished", attributes: attributeValues(table, live) };
  return {
    state: "failed",
    reason: `changed outside of the stack: ${drift.join(", ")}`,
    health: drift.some((name) => isFixed(operation, live, name)) ? "beyond repair" : "differs",
  };
};

const beginOf = ({ action }: Call) => {
  if (action === "CREATE") return beginCreate;
  return action === "DELETE" ? beginDelete : beginUpdate;
};

const poll = async (operation: Operation, handle: string): Promise<Answer> => {
  const { account, call } = operation;
  const { requestToken, looks } = readHandle(handle);
  const progress = await account.progress(requestToken, call.signal);
  if (progress === null) return { state: "failed", reason: "AWS has forgotten the request" };
  return follow(operation, progress, beginOf(call), looks);
};

const cloudControlType = (type: string, table: TypeTable, accounts: Accounts): CloudControlType => {
  const operationOf = async (call: Call): Promise<Operation> => ({
    type,
    table,
    account: await accounts(call.tenant),
    call,
  });
  const begun =
    (begin: Begin) =>
    (call: Call): Promise<Answer> =>
      asked(async () => {
        const operation = await operationOf(call);
        return follow(operation, await begin(operation, ""), begin);
      });
  const nested = table.createOnly.filter((path) => path.includes("/"));
  return {
    description: `${type} in an account of AWS, by Cloud Control.`,
    properties: propertiesOf(table),
    attributes: attributesOf(table),
    tokens: { windowSeconds: TOKEN_SECONDS },
    ...uniqueByOf(table),
    create: begun(beginCreate),
    ...(table.handlers.includes("update")
      ? { update: begun(beginUpdate), repairable: true as const }
      : {}),
    delete: begun(beginDelete),
    check: (call) => asked(async () => check(await operationOf(call))),
    poll: (call) => asked(async () => poll(await operationOf(call), call.handle)),
    find: (call) => asked(async () => findMade(await operationOf(call))),
    ...(canList(table) ? { marked: markedOf(type, table, accounts) } : {}),
    mustReplace: (before, after) => {
      const [former, wanted] = [withoutNulls(before), withoutNulls(after)];
      return nested.some((path) => !isSameValue(valueAt(former, path), valueAt(wanted, path)));
    },
  };
};
