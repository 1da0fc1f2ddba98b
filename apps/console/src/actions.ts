import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import type { StackName } from "./stack-data.ts";

export const ACTIONS = ["suspend", "resume", "check", "cancel_update"] as const;
export type Action = (typeof ACTIONS)[number];

export const ACTION_TITLES: Readonly<Record<Action, string>> = {
  suspend: "Suspend",
  resume: "Resume",
  check: "Check",
  cancel_update: "Cancel the update",
};

/** The server decides. This function only leaves out actions that the server would refuse. */
export const actionsFor = (status: string): readonly Action[] => {
  if (status === "UPDATE_IN_PROGRESS") return ["cancel_update"];
  if (status.endsWith("_IN_PROGRESS") || status.startsWith("DELETE_")) return [];
  if (status === "SUSPEND_COMPLETE") return ["resume"];
  return status.startsWith("SUSPEND_") ? ["resume", "suspend"] : ["suspend", "check"];
};

export const act = async (client: Client, stack: StackName, action: Action): Promise<void> => {
  await client.request("POST", `${stackPath(stack)}/actions`, z.unknown(), { [action]: null });
};

export const remove = async (client: Client, stack: StackName): Promise<void> => {
  await client.request("DELETE", stackPath(stack), z.unknown());
};

const Body = z.looseObject({ resources: z.record(z.string(), z.unknown()).nullish() });
const Policy = z.looseObject({ deletion_policy: z.unknown().optional() });

export const retainedIn = (template: unknown): readonly string[] =>
  Object.entries(Body.safeParse(template).data?.resources ?? {}).flatMap(([name, resource]) => {
    const policy = Policy.safeParse(resource).data?.deletion_policy;
    return policy === "Retain" || policy === "retain" ? [name] : [];
  });
