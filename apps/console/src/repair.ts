import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { type ForeseenUpdate, foreseeUpdate } from "./foresee-update.ts";
import { sortOf } from "./foreseen.ts";
import { readStack, type StackName } from "./stack-data.ts";

export type Repair =
  /** The last operation was not a CHECK, so nobody knows what has drifted. */
  | { readonly kind: "not looked"; readonly status: string }
  | { readonly kind: "busy"; readonly status: string }
  | { readonly kind: "found"; readonly status: string; readonly foreseen: ForeseenUpdate };

export const readRepair = async (client: Client, stack: StackName): Promise<Repair> => {
  const { stack_status: status } = await readStack(client, stack);
  if (status.endsWith("_IN_PROGRESS")) return { kind: "busy", status };
  if (!status.startsWith("CHECK_")) return { kind: "not looked", status };
  return { kind: "found", status, foreseen: await foreseeUpdate(client, stack, {}) };
};

export const hasDrifted = ({ changes }: ForeseenUpdate): boolean =>
  changes.some((change) => !["reached", "untouched"].includes(sortOf(change)));

/** The server refuses the request if the stack has changed since the preview. */
export const repair = async (
  client: Client,
  stack: StackName,
  { basis }: Pick<ForeseenUpdate, "basis">,
): Promise<void> => {
  const query = basis === null ? "" : `?basis=${encodeURIComponent(basis)}`;
  await client.request("PATCH", `${stackPath(stack)}${query}`, z.unknown(), {});
};
