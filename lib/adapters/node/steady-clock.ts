/**
 * A clock that never goes back. If the machine's clock does, this one goes on from where it was, a
 * little slower, until the machine's has caught up. So nothing that waits has to wait longer, not
 * even times that a type keeps in its handle.
 */
import type { Clock } from "#lib/ports/clock.ts";

/** While it is ahead of the machine's clock, it runs at this part of its speed. */
const SLOWED = 0.9;
/** A smaller step of the machine's clock is not told: time services make some each day. */
export const JUMP_MS_MIN = 5_000;

/** The machine's clocks, in milliseconds. */
export interface ClockSources {
  /** Since 1970. An operator or a time service may set it. */
  wall(): number;
  /** Since some moment. Nobody can set it. */
  monotonic(): number;
}

export interface SteadyClock extends Clock {
  /** Goes on from this time, if it is later: a former process has seen it. */
  notBefore(seen: number): void;
  /** How far it is ahead of the machine's clock. */
  leadMs(): number;
  /** Follows the machine's clock again, even backwards. Nothing may depend on the time. */
  follow(): void;
}

export interface SteadyClockOptions {
  readonly sources?: ClockSources;
  /** Called for each jump of the machine's clock. Negative: back. */
  readonly jumped?: (byMs: number) => void;
}

const MACHINE: ClockSources = { wall: () => Date.now(), monotonic: () => performance.now() };

export const steadyClock = ({
  sources = MACHINE,
  jumped = () => undefined,
}: SteadyClockOptions = {}): SteadyClock => {
  let last = { wall: sources.wall(), monotonic: sources.monotonic() };
  let time = last.wall;

  const advance = (): void => {
    const read = { wall: sources.wall(), monotonic: sources.monotonic() };
    const passed = Math.max(read.monotonic - last.monotonic, 0);
    const jump = read.wall - last.wall - passed;
    last = read;
    time = Math.max(read.wall, time + passed * SLOWED);
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
    follow: () => {
      advance();
      time = last.wall;
    },
  };
};
