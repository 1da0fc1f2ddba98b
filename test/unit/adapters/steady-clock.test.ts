import { describe, expect, it } from "vitest";
import { steadyClock } from "#lib/adapters/node/steady-clock.ts";

const START = 1_750_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const aMachine = () => {
  let wall = START;
  let monotonic = 0;
  let boot = 5_000;
  return {
    sources: { wall: () => wall, monotonic: () => monotonic, boot: () => boot },
    pass: (ms: number) => {
      wall += ms;
      monotonic += ms;
      boot += ms;
    },
    sleep: (ms: number) => {
      wall += ms;
      boot += ms;
    },
    jump: (ms: number) => {
      wall += ms;
    },
  };
};

const aClock = () => {
  const machine = aMachine();
  const jumps: number[] = [];
  const clock = steadyClock({ sources: machine.sources, jumped: (ms) => jumps.push(ms) });
  return { ...machine, clock, jumps };
};

describe("the steady clock", () => {
  it("shows the machine's time as long as that only goes on", () => {
    const { clock, pass, jumps } = aClock();
    for (const ms of [1, 999, MINUTE_MS]) pass(ms);
    expect(clock.now()).toBe(START + 1_000 + MINUTE_MS);
    expect([clock.leadMs(), jumps]).toEqual([0, []]);
  });

  it("goes on when the machine's clock jumps back, and tells of the jump once", () => {
    const { clock, pass, jump, jumps } = aClock();
    pass(MINUTE_MS);
    clock.now();
    jump(-HOUR_MS);
    expect(clock.now()).toBe(START + MINUTE_MS);
    pass(MINUTE_MS);
    expect(clock.now()).toBe(START + MINUTE_MS + 0.9 * MINUTE_MS);
    expect(jumps).toEqual([-HOUR_MS]);
    expect(clock.leadMs()).toBe(HOUR_MS - 0.1 * MINUTE_MS);
  });

  it("is caught up by the machine's clock, and shows its time from then on", () => {
    const { clock, pass, jump } = aClock();
    jump(-HOUR_MS);
    clock.now();
    for (let hour = 0; hour < 11; hour += 1) pass(HOUR_MS);
    expect([clock.now(), clock.leadMs()]).toEqual([START + 10 * HOUR_MS, 0]);
  });

  it("follows at once where the machine has slept", () => {
    const { clock, sleep, jumps } = aClock();
    sleep(HOUR_MS);
    expect([clock.now(), clock.leadMs(), clock.heldMs()]).toEqual([START + HOUR_MS, 0, 0]);
    expect(jumps).toEqual([HOUR_MS]);
  });

  it("does not follow a leap that is taken back within the hour", () => {
    const { clock, jump, pass, jumps } = aClock();
    jump(31 * 24 * HOUR_MS);
    expect([clock.now(), clock.heldMs()]).toEqual([START, 31 * 24 * HOUR_MS]);
    pass(75_000);
    expect(clock.now()).toBe(START + 75_000);
    jump(-31 * 24 * HOUR_MS);
    pass(HOUR_MS);
    const passed = 75_000 + HOUR_MS;
    expect([clock.now(), clock.leadMs(), clock.heldMs()]).toEqual([START + passed, 0, 0]);
    expect(jumps).toHaveLength(2);
  });

  it("follows a leap that has lasted for an hour, and begins anew to count after another", () => {
    const { clock, jump, pass } = aClock();
    jump(10 * HOUR_MS);
    clock.now();
    pass(HOUR_MS - 1);
    expect(clock.now()).toBe(START + HOUR_MS - 1);
    jump(10 * HOUR_MS);
    clock.now();
    pass(HOUR_MS - 1);
    expect(clock.now()).toBe(START + 2 * HOUR_MS - 2);
    pass(1);
    expect([clock.now(), clock.heldMs()]).toEqual([START + 22 * HOUR_MS - 1, 0]);
  });

  it("keeps what is left of a leap that is taken back in part, or twice", () => {
    const { clock, jump, pass } = aClock();
    jump(10 * HOUR_MS);
    clock.now();
    jump(-4 * HOUR_MS);
    expect([clock.now(), clock.heldMs()]).toEqual([START, 6 * HOUR_MS]);
    jump(-7 * HOUR_MS);
    expect([clock.now(), clock.heldMs(), clock.leadMs()]).toEqual([START, 0, HOUR_MS]);
    clock.follow();
    pass(1_000);
    expect(clock.now()).toBe(START - HOUR_MS + 1_000);
  });

  it("follows a small step forward at once", () => {
    const { clock, jump, jumps } = aClock();
    jump(59_000);
    expect([clock.now(), clock.heldMs(), jumps]).toEqual([START + 59_000, 0, [59_000]]);
  });

  it("says nothing of the small steps of a time service", () => {
    const { clock, jump, jumps } = aClock();
    jump(-4_999);
    expect([clock.now(), jumps]).toEqual([START, []]);
  });

  it("goes on from the time that a former process has seen", () => {
    const { clock, jumps } = aClock();
    clock.notBefore(START - HOUR_MS);
    expect([clock.now(), jumps]).toEqual([START, []]);
    clock.notBefore(START + HOUR_MS);
    expect([clock.now(), clock.leadMs(), jumps]).toEqual([START + HOUR_MS, HOUR_MS, [-HOUR_MS]]);
  });

  it("goes back only when it is asked to follow the machine's clock", () => {
    const { clock, jump } = aClock();
    jump(-HOUR_MS);
    expect(clock.now()).toBe(START);
    clock.follow();
    expect([clock.now(), clock.leadMs()]).toEqual([START - HOUR_MS, 0]);
  });
});
