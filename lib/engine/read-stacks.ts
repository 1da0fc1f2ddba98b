import { inParallel } from "#lib/convergence/in-parallel.ts";
import type { Stack } from "#lib/model/stack.ts";
import { STACKS_READ_MAX, type Store } from "#lib/ports/store.ts";

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
