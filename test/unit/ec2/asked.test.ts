import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Answer } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { callIn, PACE } from "#providers/ec2/account.ts";
import { type Removal, removed } from "#providers/ec2/asked.ts";
import { openEc2 } from "#providers/ec2/open-ec2.ts";
import { ROLE } from "../../cloud-control/provider-at.ts";
import { callOf } from "../../contract/provider-call.ts";

const MINUTE_MS = 60_000;
const CALL = { ...callOf("t"), action: "DELETE", physicalId: "subnet-1" } as const;
const USED = new Refused("DependencyViolation", "the subnet has dependencies");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const accountOf = () => openEc2("demo", ROLE, { images: {}, flavors: {} });

const ask = async (removal: Partial<Removal>, handle?: string): Promise<Answer> => {
  const call = handle === undefined ? CALL : { ...CALL, handle };
  const whole = { look: async () => [], remove: async () => undefined, ...removal };
  return removed(callIn(await accountOf(), call), whole);
};

const handleOf = (answer: Answer): string =>
  answer.state === "waiting" ? (answer.handle ?? "") : "";

describe("a delete", () => {
  it("waits for what uses the object, and fails with EC2's reason in the end", async () => {
    const remove = async () => Promise.reject(USED);
    const first = await ask({ remove });
    expect(first).toMatchObject({ state: "waiting", physicalId: "subnet-1" });
    vi.advanceTimersByTime(29 * MINUTE_MS);
    const second = await ask({ remove }, handleOf(first));
    expect(second).toEqual(first);
    vi.advanceTimersByTime(2 * MINUTE_MS);
    expect(await ask({ remove }, handleOf(second))).toEqual({
      state: "failed",
      reason: "AWS: DependencyViolation: the subnet has dependencies",
    });
  });

  it("succeeds when the object is gone after it was used", async () => {
    const first = await ask({ remove: async () => Promise.reject(USED) });
    expect(await ask({ look: async () => null }, handleOf(first))).toEqual({ state: "finished" });
  });

  it("leaves what another project has made", async () => {
    const remove = vi.fn();
    const tags = [{ Key: "hearth:tenant", Value: "other" }];
    expect(await ask({ look: async () => tags, remove })).toEqual({ state: "finished" });
    expect(remove).not.toHaveBeenCalled();
  });

  it("looks some more times for what was never seen", async () => {
    const look = async () => null;
    let answer = await ask({ look });
    for (let looks = 1; looks <= 3; looks += 1) {
      expect(answer).toMatchObject({ state: "waiting", pollAfterSeconds: PACE.settle / 3 });
      answer = await ask({ look }, handleOf(answer));
    }
    expect(answer).toEqual({ state: "finished" });
  });
});
