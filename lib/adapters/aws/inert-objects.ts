/**
 * The provider of stubs where no test types exist. A stub does nothing, so everything about it is
 * in its row, and it needs no table. Its ids equal those of the provider with a table, so stubs
 * from a deployment with that table remain valid.
 */
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import { idFor } from "./fake-provider.ts";

export const inertObjects = (): FakeProvider => ({
  create: async ({ token }) => ({ state: "done", physicalId: idFor(token) }),
  update: async ({ physicalId }) => ({ state: "done", physicalId }),
  delete: async ({ physicalId }) => ({ state: "done", physicalId }),
  poll: async () => ({ state: "missing" }),
  list: async () => [],
});
