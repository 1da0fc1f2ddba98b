/**
 * A clock that never goes back, and that believes no leap forward at once.
 *
 * If the machine's clock goes back, this one goes on from where it was, a little slower, until the
 * machine's has caught up. So nothing that waits has to wait longer, not even times that a type
 * keeps in its handle. If the machine's clock leaps forward although the machine has not slept,
 * this one goes on at its pace for HELD_MS. A clock that was set wrong and then right again thus
 * ends no operation, deletes nothing and lets no token expire.
 */
import { uptime } from "node:os";
import type { Clock } from "#lib/ports/clock.ts";

/** While it is ahead of the machine's clock, it runs at this part of its speed. */
const SLOWED = 0.9;
/** A smaller step of the machine's clock is not told: time services make some each day. */
export const JUMP_MS_MIN = 5_000;

/** A leap forward below this is a late correction, and nothing that it ends matters. */
const HELD_JUMP_MS_MIN = 60_000;
/** How long the machine's clock must keep a leap before Hearth's follows. */
export const HELD_MS = 3_600_000;

/** The machine's clocks, in milliseconds. */
export interface ClockSources {
  /** Since 1970. An operator or a time service may set it. */
  wall(): number;
  /** Since some moment. Nobody can set it. */
  monotonic(): number;
  /** Since the machine's start, with the time that it slept. Absent: it never sleeps. */
  boot?(): number;
}

export interface SteadyClock extends Clock {
  /** Goes on from this time, if it is later: a former process has seen it. */
  notBefore(seen: number): void;
  /** How far it is ahead of the machine's clock. */
  leadMs(): number;
  /** How far it is behind the machine's clock, because of a leap that is not believed yet. */
  heldMs(): number;
  /** Follows the machine's clock again, even backwards. Nothing may depend on the time. */
  follow(): void;
}

export interface SteadyClockOptions {
  readonly sources?: ClockSources;
  /** Called for each jump of the machine's clock. Negative: back. */
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

  /** Time that the machine has slept is no leap of its clock. */
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
