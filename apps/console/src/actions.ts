import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { onBasis, readStack, readTemplate, type Stack, type StackName } from "./stack-data.ts";

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

type ShownStack = StackName & Pick<Stack, "basis">;

/** The server refuses the update of a stack that is suspended, or that is or was being deleted. */
export const mayUpdate = (status: string): boolean =>
  !status.startsWith("DELETE_") && !status.startsWith("SUSPEND_");

export const act = async (client: Client, stack: ShownStack, action: Action): Promise<void> => {
  const path = `${stackPath(stack)}/actions${onBasis(stack.basis)}`;
  await client.request("POST", path, z.unknown(), { [action]: null });
};

export const remove = async (client: Client, stack: ShownStack): Promise<void> => {
  await client.request("DELETE", `${stackPath(stack)}${onBasis(stack.basis)}`, z.unknown());
};

export interface Losses {
  readonly stack: Stack;
  readonly lost: readonly string[];
  readonly kept: readonly string[];
}

/** The stack is read first, so a delete is refused if anything has moved since the names. */
export const readLosses = async (client: Client, name: StackName): Promise<Losses> => {
  const stack = await readStack(client, name);
  const [resources, template] = await Promise.all([
    client.resources(name),
    readTemplate(client, name),
  ]);
  const retained = retainedIn(template);
  const all = resources.flatMap(({ resource_name, physical_resource_id: id }) =>
    id ? [resource_name] : [],
  );
  const [kept = [], lost = []] = [true, false].map((isKept) =>
    all.filter((one) => retained.includes(one) === isKept),
  );
  return { stack, lost, kept };
};

const Body = z.looseObject({ resources: z.record(z.string(), z.unknown()).nullish() });
const Policy = z.looseObject({ deletion_policy: z.unknown().optional() });

const retainedIn = (template: unknown): readonly string[] =>
  Object.entries(Body.safeParse(template).data?.resources ?? {}).flatMap(([name, resource]) => {
    const policy = Policy.safeParse(resource).data?.deletion_policy;
    return policy === "Retain" || policy === "retain" ? [name] : [];
  });
