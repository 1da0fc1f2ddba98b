import type { Answer, Call, JsonObject, ProvidedType } from "#provider/provider.ts";
import type { Accounts } from "../client.ts";
import type { TypeTable } from "../tables/type-table.ts";
import { asked } from "./asked.ts";
import { attributesOf, attributeValues } from "./attributes.ts";
import { askedFor, beginCreate, beginDelete, beginUpdate } from "./begin.ts";
import { findMade } from "./find.ts";
import { type Begin, follow, type Operation } from "./follow.ts";
import { canList, markedOf } from "./marked.ts";
import { driftOf } from "./patch.ts";
import { isSameValue, valueAt, withoutNulls } from "./paths.ts";
import { readHandle } from "./pending.ts";
import { propertiesOf, uniqueByOf } from "./properties.ts";

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

export const cloudControlType = (
  type: string,
  table: TypeTable,
  accounts: Accounts,
): CloudControlType => {
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
