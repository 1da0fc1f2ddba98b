import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { type ForeseenUpdate, foreseeUpdate } from "./foresee-update.ts";
import { sortOf } from "./foreseen.ts";
import { onBasis, readStack, type Stack, type StackName } from "./stack-data.ts";

export type Repair = { readonly shown: Stack } & (
  | {
      /** The last operation was not a CHECK, so nobody knows what has drifted. */
      readonly kind: "not looked";
    }
  | { readonly kind: "busy" }
  | { readonly kind: "found"; readonly foreseen: ForeseenUpdate }
);

export const readRepair = async (client: Client, stack: StackName): Promise<Repair> => {
  const shown = await readStack(client, stack);
  const { stack_status: status } = shown;
  if (status.endsWith("_IN_PROGRESS")) return { kind: "busy", shown };
  if (!status.startsWith("CHECK_")) return { kind: "not looked", shown };
  return { kind: "found", shown, foreseen: await foreseeUpdate(client, stack, {}) };
};

export const hasDrifted = ({ changes }: ForeseenUpdate): boolean =>
  changes.some((change) => !["reached", "untouched"].includes(sortOf(change)));

/** The server refuses the request if the stack has changed since the preview. */
export const repair = async (
  client: Client,
  stack: StackName,
  { basis }: Pick<ForeseenUpdate, "basis">,
): Promise<void> => {
  await client.request("PATCH", `${stackPath(stack)}${onBasis(basis)}`, z.unknown(), {});
};
