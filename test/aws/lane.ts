import * as z from "zod";
import { type Client, stackPath } from "#client/client.ts";
import { CreatedAnswer, StackAnswer } from "#client/wire.ts";
import type { CheckResourceMessage } from "#lib/ports/queue.ts";
import type { Account } from "./account.ts";
import type { Lacks, Need } from "./emulators.ts";
import { eventually } from "./eventually.ts";
import type { Wire } from "./wire.ts";

export const PROJECT = "demo";
export const FOREIGN_PROJECT = "other";
/** The deployment allows this project fewer requests a second than all others. */
export const LIMITED_PROJECT = "limited";
export const LIMITED_RATE = 1;
export const FIRST_REVISION = "lane-1";

export interface Restored {
  readonly client: Client;
  moved(url: string): string;
  remove(): Promise<void>;
}

export interface Lane {
  readonly url: string;
  readonly endpoint: string;
  readonly token: string;
  readonly foreignToken: string;
  readonly client: Client;
  readonly foreignClient: Client;
  readonly account: Account;
  readonly killWorkers?: (functionName: string) => number;
  readonly wire?: Wire;
  restore(): Promise<Restored>;
  replay(...args: readonly string[]): Promise<string>;
  upgrade(revision: string): Promise<void>;
  say(text: string): void;
  readonly lacks: Lacks;
  readonly planted: string[];
  openProject(project: string): Promise<{ readonly client: Client; readonly token: string }>;
}

export interface Story {
  readonly name: string;
  readonly needs?: readonly Need[];
  /** The story takes minutes on any machine, so a short run leaves it out. */
  readonly isLong?: true;
  /** The story checks what the others have left behind, so every run plays it. */
  readonly isLast?: true;
  play(lane: Lane): Promise<void>;
}

export type Speaker = Pick<Lane, "client">;

export interface StackRef {
  readonly stack_name: string;
  readonly id: string;
}

/** Covers cold starts and the emulators' long polls, but not a repair by the sweeper. */
const END_MS_MAX = 60_000;
/**
 * The cost of one lost message: a lease, the delay until the message counts as overdue, and two
 * rounds of the sweeper.
 */
export const REPAIR_MS_MAX = 240_000;

export const create = async (
  { client }: Speaker,
  stack_name: string,
  template: object,
  more: object = {},
): Promise<StackRef> => {
  const body = { stack_name, template, ...more };
  const { stack } = await client.request("POST", "/stacks", CreatedAnswer, body);
  return { stack_name, id: stack.id };
};

export const update = async (
  { client }: Speaker,
  stack: StackRef,
  template: object,
  more: object = {},
): Promise<void> => {
  await client.request("PUT", stackPath(stack), z.unknown(), { template, ...more });
};

export const act = async ({ client }: Speaker, stack: StackRef, verb: string): Promise<void> => {
  await client.request("POST", `${stackPath(stack)}/actions`, z.unknown(), { [verb]: null });
};

export const show = async ({ client }: Speaker, stack: StackRef) =>
  (await client.request("GET", stackPath(stack), StackAnswer)).stack;

export const outputs = async (
  lane: Speaker,
  stack: StackRef,
): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries(
    ((await show(lane, stack)).outputs ?? []).map((output) => [
      output.output_key,
      output.output_value,
    ]),
  );

export const ends = async (
  lane: Speaker,
  stack: StackRef,
  wanted: string,
  limitMs = END_MS_MAX,
): Promise<void> => {
  await eventually(`${stack.stack_name} is ${wanted}`, limitMs, async () => {
    const { stack_status, stack_status_reason } = await show(lane, stack);
    if (stack_status === wanted) return true;
    // The stack can still have the status of its previous operation for a moment.
    const isOther = stack_status.endsWith("_FAILED") && !wanted.endsWith("_FAILED");
    if (isOther) throw new Error(`${stack.stack_name} is ${stack_status}: ${stack_status_reason}`);
    return null;
  });
};

export const remove = async (
  lane: Speaker,
  stack: StackRef,
  limitMs = END_MS_MAX,
): Promise<void> => {
  await lane.client.request("DELETE", stackPath(stack), z.unknown());
  await ends(lane, stack, "DELETE_COMPLETE", limitMs);
};

export const objectsOf = async ({ account }: Lane, { stack_name }: StackRef) =>
  (await account.adapter.fakeProvider.list()).filter(({ stackName }) => stackName === stack_name);

export const traversalOf = async ({ account }: Lane, { id }: StackRef): Promise<string> =>
  (await account.adapter.store.getStack(PROJECT, id))?.traversalId ?? "";

export const hot = (resources: object, more: object = {}): object => ({
  heat_template_version: "2016-10-14",
  resources,
  ...more,
});

export const testResource = (properties: object, more: object = {}): object => ({
  type: "OS::Heat::TestResource",
  properties,
  ...more,
});

export const rowNamed = async ({ account }: Lane, stack: StackRef, name: string) => {
  const rows = await account.adapter.store.listResources(stack.id);
  return rows.find((row) => row.name === name);
};

export const isInProgress = (lane: Lane, stack: StackRef, name: string): Promise<true> =>
  eventually(`${name} is in progress`, END_MS_MAX, async () =>
    (await rowNamed(lane, stack, name))?.operation ? true : null,
  );

export const visitOf = async (
  lane: Lane,
  stack: StackRef,
  name: string,
): Promise<CheckResourceMessage> => ({
  type: "check_resource",
  tenant: PROJECT,
  stackId: stack.id,
  traversalId: await traversalOf(lane, stack),
  resourceId: (await rowNamed(lane, stack, name))?.id ?? "",
  isUpdate: true,
});
