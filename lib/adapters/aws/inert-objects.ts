/**
 * The provider of stubs where there are no test types. A stub stands for an object and does
 * nothing, so all that is known of it is in its row, and no table keeps it. Ids are those that the
 * table's provider would give, so a stub that was made with the table is as good as any.
 */
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import { idFor } from "./fake-provider.ts";

export const inertObjects = (): FakeProvider => ({
  create: async ({ token }) => ({ state: "done", physicalId: idFor(token) }),
  update: async ({ physicalId }) => ({ state: "done", physicalId }),
  delete: async ({ physicalId }) => ({ state: "done", physicalId }),
  // A call of a stub is over at once, so nobody polls.
  poll: async () => ({ state: "missing" }),
  list: async () => [],
});
