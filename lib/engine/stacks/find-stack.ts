import { inParallel } from "#lib/convergence/in-parallel.ts";
import { entityNotFound } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { STACKS_READ_MAX, type Store } from "#lib/ports/store.ts";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

export const isDeleted = (stack: Stack): boolean =>
  stack.action === "DELETE" && stack.status === "COMPLETE";

/** The stack may no longer be shown. The store removes it some time later. */
export const isExpired = ({ expiresAt }: Stack, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

const getStack = async (ports: Ports, tenant: string, id: string): Promise<Stack | null> => {
  const stack = await ports.store.getStack(tenant, id);
  return stack === null || isExpired(stack, ports.clock.now()) ? null : stack;
};

/** Heat's identify_stack. An id also finds deleted stacks, a name does not. Throws 404. */
export const identifyStack = async (
  ports: Ports,
  tenant: string,
  nameOrId: string,
): Promise<Stack> => {
  if (UUID.test(nameOrId)) {
    const stack = await getStack(ports, tenant, nameOrId);
    if (stack) return stack;
  }
  const id = await ports.store.getStackName(tenant, nameOrId);
  const stack = id === null ? null : await ports.store.getStack(tenant, id);
  if (!stack || isDeleted(stack)) throw entityNotFound("Stack", nameOrId);
  return stack;
};

export interface StackIdentity {
  readonly askedBy?: string | undefined;
  /** What the caller has looked at (basis.ts). Only the verbs that declare it read it. */
  readonly basis?: string | undefined;
  readonly tenant: string;
  readonly name: string;
  readonly id: string;
}

export const findStack = async (ports: Ports, identity: StackIdentity): Promise<Stack> => {
  const stack = await getStack(ports, identity.tenant, identity.id);
  if (!stack || stack.name !== identity.name) throw entityNotFound("Stack", identity.name);
  return stack;
};

/**
 * Like findStack, but throws 404 for a deleted stack. Every verb that changes a stack starts here.
 */
export const findLivingStack = async (ports: Ports, identity: StackIdentity): Promise<Stack> => {
  const stack = await findStack(ports, identity);
  if (isDeleted(stack)) throw entityNotFound("Stack", identity.name);
  return stack;
};

export const readStacks = async (
  store: Pick<Store, "getStacks">,
  tenant: string,
  ids: readonly string[],
): Promise<readonly Stack[]> => {
  const reads: (() => Promise<readonly Stack[]>)[] = [];
  for (let at = 0; at < ids.length; at += STACKS_READ_MAX) {
    const some = ids.slice(at, at + STACKS_READ_MAX);
    reads.push(() => store.getStacks(tenant, some));
  }
  return (await inParallel(reads)).flat();
};
