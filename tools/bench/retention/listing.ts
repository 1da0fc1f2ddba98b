/** What a list of stacks reads on AWS in a tenant with many deleted stacks. */
import { randomUUID } from "node:crypto";
import { systemClock } from "#lib/adapters/node/platform.ts";
import { inParallel } from "#lib/convergence/in-parallel.ts";
import { listStacks, type StackListQuery } from "#lib/engine/stacks/list-stacks.ts";
import type { Stack } from "#lib/model/stack.ts";
import { openCountedAws } from "#test/aws/usage.ts";
import type { AwsTarget } from "#test/contract/aws-emulators.ts";
import { ALL_STACKS, aStack } from "#test/contract/records.ts";

export interface ListCost {
  readonly stacks: number;
  readonly readUnits: number;
  readonly requests: number;
}

/** A stack as its retirement leaves it: settled, with an expiry, and without a name. */
const retired = (tenant: string): Stack =>
  aStack({
    tenant,
    action: "DELETE",
    status: "COMPLETE",
    settled: true,
    deletedAt: Date.now(),
    expiresAt: Date.now() + 1_000_000_000,
  });

export const listCosts = async (
  { connection, place }: AwsTarget,
  deleted: number,
  living: number,
): Promise<{ readonly none: ListCost; readonly living: ListCost; readonly all: ListCost }> => {
  const adapter = openCountedAws({ ...connection, ...place });
  const { store, usage } = adapter;
  const tenant = `tenant-${randomUUID()}`;
  await inParallel(Array.from({ length: deleted }, () => () => store.createStack(retired(tenant))));
  const ports = { store, clock: systemClock() };
  const costOf = async (query: StackListQuery): Promise<ListCost> => {
    usage.reset();
    const { stacks } = await listStacks(ports, tenant, query);
    const { readUnits, requests } = usage.read();
    const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
    return { stacks: stacks.length, readUnits, requests: sent };
  };
  const none = await costOf(ALL_STACKS);
  for (let number = 0; number < living; number += 1) {
    const stack = aStack({ tenant, name: `app-${number}`, createdAt: number });
    await store.putStackName(tenant, stack.name, stack);
    await store.createStack(stack);
  }
  const costs = {
    none,
    living: await costOf(ALL_STACKS),
    all: await costOf({ ...ALL_STACKS, showDeleted: true }),
  };
  adapter.close();
  return costs;
};
