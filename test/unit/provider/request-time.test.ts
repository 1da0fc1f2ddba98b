import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CLOCK_SECONDS_MAX } from "#provider/http/protocol.ts";
import { nextTime } from "#provider/http/signed-request.ts";

const NOW = Date.UTC(2030, 0, 1);
const HOUR_MS = 3_600_000;

describe("the time of a request", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is later than each before, also if the clock goes back by seconds", () => {
    const times = [nextTime(), nextTime()];
    vi.setSystemTime(NOW - 5_000);
    times.push(nextTime());
    expect(times.map(Number)).toEqual([NOW, NOW + 1, NOW + 2]);
  });

  it("is one that a server takes after the clock was an hour ahead", () => {
    vi.setSystemTime(NOW + HOUR_MS);
    nextTime();
    vi.setSystemTime(NOW + 10_000);
    const off = Math.abs(Number(nextTime()) - (NOW + 10_000));
    expect(off).toBeLessThanOrEqual(CLOCK_SECONDS_MAX * 1_000);
    expect(Number(nextTime())).toBe(NOW + 10_001);
  });
});
