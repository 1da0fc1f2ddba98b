import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Resources, Stacks } from "#lib/ports/store.ts";
import { decideRowWrite, decideStackWrite } from "./conditional-write.ts";
import type { Atomically, Documents } from "./documents.ts";

export type Written<Document> = (before: Document | null, after: Document) => void;

export const localStackWrites = (
  stacks: Documents<Stack>,
  atomically: Atomically,
  written: Written<Stack>,
): Pick<Stacks, "createStack" | "getStack" | "writeStack"> => ({
  createStack: (stack) =>
    atomically(() => {
      if (!stacks.insert(stack)) return "exists";
      written(null, stack);
      return "created";
    }),
  getStack: async (tenant, id) => stacks.get(tenant, id),
  writeStack: (tenant, id, when, change) =>
    atomically(() => {
      const before = stacks.get(tenant, id);
      const write = decideStackWrite(before, when, change);
      if (write.written) {
        stacks.put(write.stack);
        written(before, write.stack);
      }
      return write;
    }),
});

export const localResources = (
  rows: Documents<Resource>,
  atomically: Atomically,
  written: Written<Resource>,
): Omit<Resources, "listRows" | "listRowsNamed"> => ({
  getResource: async ({ stackId, id }) => rows.get(stackId, id),
  listResources: async (stackId) => rows.list(stackId),
  listRowOutlines: async (stackId) => rows.list(stackId),
  getResources: async (stackId, ids) => ids.flatMap((id) => rows.get(stackId, id) ?? []),
  // These stores keep all rows of a stack together, so they need no mark.
  spreadRows: async () => undefined,
  writeResource: (key, when, change) =>
    atomically(() => {
      const before = rows.get(key.stackId, key.id);
      const write = decideRowWrite(key, before, when, change);
      if (write.written) {
        rows.put(write.row);
        written(before, write.row);
      }
      return write;
    }),
});
