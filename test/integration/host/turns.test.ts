/** The database reads synchronously. Work that only reads must still let HTTP requests through. */
import { expect, it } from "vitest";
import { bindHostPorts } from "#host/host-ports.ts";
import { aStack } from "#test/contract/records.ts";

/** They take many times longer than a turn may. */
const READS_MAX = 100_000;

it("work that reads one stack after another gives others a turn", async () => {
  const host = bindHostPorts(":memory:", "http://127.0.0.1");
  const { store } = host.ports;
  const { tenant, id } = aStack();
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  let reads = 0;
  while (!hasTurned && reads < READS_MAX) {
    await store.getStack(tenant, id);
    reads++;
  }
  expect(hasTurned).toBe(true);
  host.close();
});
