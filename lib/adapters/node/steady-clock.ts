/**
 * A clock that never goes back, and that does not follow a leap forward at once.
 * If the machine's clock goes back, this clock continues from its own time, a little slower, until
 * the machine's clock has caught up. So no wait becomes longer, not even for times that a type
 * stores in its handle.
 * If the machine's clock leaps forward although the machine has not slept, this clock continues at
 * its pace for HELD_MS. A clock that was wrong for a moment thus ends no operation, deletes nothing
 * and lets no token expire.
 */
import { uptime } from "node:os";
import type { Clock } from "#lib/ports/ports.ts";

/** The speed while this clock is ahead of the machine's clock. */
const SLOWED = 0.9;
/** Smaller steps are not reported, because time services make some each day. */
export const JUMP_MS_MIN = 5_000;

/** A smaller leap forward is followed at once, because nothing that it ends matters. */
const HELD_JUMP_MS_MIN = 60_000;
export const HELD_MS = 3_600_000;

/**
 * The machine's clocks, in milliseconds. An operator or a time service may set `wall` (since 1970),
 * but nobody can set the others. Only `boot` counts the time asleep; it is absent if the machine
 * never sleeps.
 */
export interface ClockSources {
  wall(): number;
  monotonic(): number;
  boot?(): number;
}

export interface SteadyClock extends Clock {
  /** Continues from this time if it is later, because a former process has seen it. */
  notBefore(seen: number): void;
  leadMs(): number;
  heldMs(): number;
  /**
   * Follows the machine's clock again, even backwards. The caller must ensure that nothing depends
   * on the time.
   */
  follow(): void;
}

export interface SteadyClockOptions {
  readonly sources?: ClockSources;
  /** Called for each jump of the machine's clock. A negative number means backwards. */
  readonly jumped?: (byMs: number) => void;
}

const MACHINE: ClockSources = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  boot: () => uptime() * 1_000,
};

export const steadyClock = ({
  sources = MACHINE,
  jumped = () => undefined,
}: SteadyClockOptions = {}): SteadyClock => {
  let last = { wall: sources.wall(), monotonic: sources.monotonic() };
  let time = last.wall;
  const sleptNow = (): number => (sources.boot?.() ?? 0) - last.monotonic;
  let slept = sources.boot ? sleptNow() : 0;
  let held = { ms: 0, since: 0 };

  const leapOf = (jump: number): number => {
    if (!sources.boot || jump < HELD_JUMP_MS_MIN) return jump;
    const before = slept;
    slept = sleptNow();
    return jump - Math.max(slept - before, 0);
  };

  const advance = (): void => {
    const read = { wall: sources.wall(), monotonic: sources.monotonic() };
    const passed = Math.max(read.monotonic - last.monotonic, 0);
    const jump = read.wall - last.wall - passed;
    last = read;
    const leap = leapOf(jump);
    if (leap >= HELD_JUMP_MS_MIN) held = { ms: held.ms + leap, since: read.monotonic };
    else if (leap <= -JUMP_MS_MIN) held = { ...held, ms: Math.max(held.ms + leap, 0) };
    if (read.monotonic - held.since >= HELD_MS) held = { ...held, ms: 0 };
    time = Math.max(read.wall - held.ms, time + passed * SLOWED);
    if (Math.abs(jump) >= JUMP_MS_MIN) jumped(jump);
  };

  return {
    now: () => {
      advance();
      return Math.floor(time);
    },
    notBefore: (seen) => {
      advance();
      if (seen - time >= JUMP_MS_MIN) jumped(last.wall - seen);
      time = Math.max(time, seen);
    },
    leadMs: () => {
      advance();
      return Math.max(Math.floor(time - last.wall), 0);
    },
    heldMs: () => {
      advance();
      return held.ms;
    },
    follow: () => {
      advance();
      time = last.wall - held.ms;
    },
  };
};
