/** Repairs a stack, as `hearth stack repair` does: look, show, ask, repair. */
import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { type ForeseenUpdate, foreseeUpdate } from "./foresee-update.ts";
import { sortOf } from "./foreseen.ts";
import { readStack, type StackName } from "./stack-data.ts";

export type Repair =
  /** No check was the last thing that happened, so nobody knows what has drifted. */
  | { readonly kind: "not looked"; readonly status: string }
  /** Something goes on in the stack: the look, as a rule. */
  | { readonly kind: "busy"; readonly status: string }
  /** What an update would do about what the check has found. */
  | { readonly kind: "found"; readonly status: string; readonly foreseen: ForeseenUpdate };

export const readRepair = async (client: Client, stack: StackName): Promise<Repair> => {
  const { stack_status: status } = await readStack(client, stack);
  if (status.endsWith("_IN_PROGRESS")) return { kind: "busy", status };
  if (!status.startsWith("CHECK_")) return { kind: "not looked", status };
  return { kind: "found", status, foreseen: await foreseeUpdate(client, stack, {}) };
};

export const hasDrifted = ({ changes }: ForeseenUpdate): boolean =>
  changes.some((change) => !["reached", "untouched"].includes(sortOf(change)));

/** Refused by the server if the stack has moved since the preview. */
export const repair = async (
  client: Client,
  stack: StackName,
  { basis }: Pick<ForeseenUpdate, "basis">,
): Promise<void> => {
  const query = basis === null ? "" : `?basis=${encodeURIComponent(basis)}`;
  await client.request("PATCH", `${stackPath(stack)}${query}`, z.unknown(), {});
};
