import { beforeEach, describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { memoryThrottle } from "#lib/adapters/memory/throttle.ts";
import { type LimitRequests, limitRequests, WINDOW_MS } from "#lib/api/request-limit.ts";
import type { Throttle } from "#lib/ports/ports.ts";

const RATES = { rate: 2, own: { large: 3 } };
/** Two requests a second, in a window of ten seconds. */
const ALLOWED = 20;
const START = 1_750_000_002_000;

let notes: unknown[];
beforeEach(() => {
  notes = [];
});

const worker = (throttle: Throttle, clock = memoryClock(START)): LimitRequests =>
  limitRequests(throttle, clock, RATES, {
    reached: (tenant, rate) => notes.push({ tenant, rate }),
    uncounted: (tenant, error) => notes.push({ tenant, error }),
  });

const statuses = async (limit: LimitRequests, tenant: string, requests: number) => {
  const answers = await Promise.all(Array.from({ length: requests }, () => limit(tenant)));
  const refused = answers.filter((answer) => answer !== null).length;
  return { served: requests - refused, refused };
};

describe("the limit on a tenant's requests", () => {
  it("serves exactly as many in a window as the rate allows, and no other tenant fewer", async () => {
    const limit = worker(memoryThrottle());
    expect(await statuses(limit, "demo", 50)).toEqual({ served: ALLOWED, refused: 30 });
    expect(await statuses(limit, "other", ALLOWED)).toEqual({ served: ALLOWED, refused: 0 });
    expect(await statuses(limit, "large", 31)).toEqual({ served: 30, refused: 1 });
    expect(notes).toEqual([
      { tenant: "demo", rate: 2 },
      { tenant: "large", rate: 3 },
    ]);
  });

  it("is one limit over all workers", async () => {
    const throttle = memoryThrottle();
    const [one, other] = [worker(throttle), worker(throttle)];
    expect(await statuses(one, "demo", 15)).toEqual({ served: 15, refused: 0 });
    expect(await statuses(other, "demo", 15)).toEqual({ served: 5, refused: 10 });
    expect(await statuses(one, "demo", 1)).toEqual({ served: 0, refused: 1 });
  });

  it("answers 429 in Heat's format, with the seconds until the window ends", async () => {
    const clock = memoryClock(START);
    const limit = worker(memoryThrottle(), clock);
    await statuses(limit, "demo", ALLOWED);
    const answer = await limit("demo");
    expect(answer).toMatchObject({ status: 429, headers: { "Retry-After": "8" } });
    expect(JSON.parse(answer?.body ?? "")).toEqual({
      code: 429,
      title: "Too Many Requests",
      explanation: "The client has sent too many requests to the server.",
      error: {
        type: "OverLimit",
        message: "The project has used up its requests (2 a second). Try again in 8 s.",
        traceback: null,
      },
    });
    clock.advance(7_999);
    expect((await limit("demo"))?.headers["Retry-After"]).toBe("1");
    clock.advance(1);
    expect(await statuses(limit, "demo", ALLOWED + 1)).toEqual({ served: ALLOWED, refused: 1 });
  });

  it("counts no more once a worker has seen it reached", async () => {
    const counted: string[] = [];
    const { count } = memoryThrottle();
    const clock = memoryClock(START);
    const limit = worker(
      {
        count: (tenant, windowStart, expiresAt) => {
          counted.push(tenant);
          return count(tenant, windowStart, expiresAt);
        },
      },
      clock,
    );
    for (let request = 0; request < 50; request++) await limit("demo");
    expect(counted.length).toBe(ALLOWED + 1);
    clock.advance(WINDOW_MS);
    await limit("demo");
    expect(counted.length).toBe(ALLOWED + 2);
  });

  it("lets a request go on whose count fails, and says so", async () => {
    const broken = new Error("the table is away");
    const limit = worker({ count: () => Promise.reject(broken) });
    expect(await statuses(limit, "demo", 2)).toEqual({ served: 2, refused: 0 });
    expect(notes).toEqual([
      { tenant: "demo", error: broken },
      { tenant: "demo", error: broken },
    ]);
  });

  it("keeps no counts of a window that has ended, which would fill the memory of a host", async () => {
    const clock = memoryClock(START);
    const throttle = memoryThrottle();
    expect(await statuses(worker(throttle, clock), "demo", 25)).toEqual({ served: 20, refused: 5 });
    clock.advance(WINDOW_MS);
    await worker(throttle, clock)("other");
    const back = worker(throttle, memoryClock(START));
    expect(await statuses(back, "demo", 25)).toEqual({ served: 20, refused: 5 });
  });

  it("treats the names of an object's own members as tenants like any other", async () => {
    const limit = worker(memoryThrottle());
    expect(await statuses(limit, "constructor", 21)).toEqual({ served: ALLOWED, refused: 1 });
  });
});
