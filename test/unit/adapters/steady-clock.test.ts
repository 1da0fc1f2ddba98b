import { describe, expect, it } from "vitest";
import { steadyClock } from "#lib/adapters/node/steady-clock.ts";

const START = 1_750_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const aMachine = () => {
  let wall = START;
  let monotonic = 0;
  return {
    sources: { wall: () => wall, monotonic: () => monotonic },
    pass: (ms: number) => {
      wall += ms;
      monotonic += ms;
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

  it("follows a jump forward at once, and tells of it", () => {
    const { clock, jump, jumps } = aClock();
    jump(HOUR_MS);
    expect([clock.now(), clock.leadMs(), jumps]).toEqual([START + HOUR_MS, 0, [HOUR_MS]]);
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
