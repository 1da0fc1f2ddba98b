import { describe, expect, it } from "vitest";
import { memoryFakeProvider } from "#lib/adapters/memory/fake-provider.ts";
import { KEPT_CHARS_MAX, KEPT_WAIT_MS_MAX } from "#lib/convergence/limits.ts";
import { idsOf, parseMessage } from "#lib/convergence/messages.ts";
import { leaseToKeep, type WaitingProgress } from "#lib/convergence/operation.ts";
import { Bug } from "#lib/errors.ts";
import { testScenario } from "#lib/resources/fake-provider/test-scenario.ts";
import { aCheck } from "#test/contract/records.ts";
import { aRow } from "./rows.ts";

const type = testScenario(memoryFakeProvider({ now: () => 0 }));
const named = { id: "row", name: "a" };
const row = aRow({ ...named, lease: { token: "token", expiresAt: 90_000 } });

const waits = (pollAfterMs: number, handle = "handle"): WaitingProgress => ({
  state: "waiting",
  handle,
  pollAfterMs,
  physicalResourceId: "id",
});

const longest = "h".repeat(KEPT_CHARS_MAX - "id".length);

describe("the lease that a worker keeps (P26)", () => {
  it("goes into the message with the provider's answer, up to both limits", () => {
    const kept = { token: "token", handle: longest, physicalResourceId: "id" };
    expect(leaseToKeep(type, row, waits(KEPT_WAIT_MS_MAX, longest))).toEqual(kept);
  });

  it("is given back for a longer wait or a longer handle, or if there is none", () => {
    expect(leaseToKeep(type, row, waits(KEPT_WAIT_MS_MAX + 1))).toBeNull();
    expect(leaseToKeep(type, row, waits(0, `${longest}h`))).toBeNull();
    expect(leaseToKeep(type, aRow({ ...named, lease: null }), waits(0))).toBeNull();
  });
});

describe("a message", () => {
  const kept = { token: "token", handle: "handle", physicalResourceId: "id" };

  it("is read with and without a kept lease", () => {
    const plain = aCheck("row");
    expect(parseMessage(JSON.stringify(plain))).toEqual(plain);
    expect(parseMessage(JSON.stringify({ ...plain, kept }))).toEqual({ ...plain, kept });
  });

  it("with half of a kept lease is a bug", () => {
    const text = JSON.stringify({ ...aCheck("row"), kept: { token: "token" } });
    expect(() => parseMessage(text)).toThrow(Bug);
  });

  it("tells a log its ids, and not what the provider has answered", () => {
    expect(idsOf({ ...aCheck("row"), kept })).toEqual(aCheck("row"));
    const prepare = {
      type: "prepare_traversal",
      tenant: "t",
      stackId: "s",
      traversalId: "1",
    } as const;
    expect(idsOf(prepare)).toEqual(prepare);
  });
});
