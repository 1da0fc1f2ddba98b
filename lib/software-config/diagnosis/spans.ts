/** Durations for use in a sentence: one unit, rounded down. */

const UNITS = [
  { name: "days", ms: 86_400_000, from: 2 },
  { name: "h", ms: 3_600_000, from: 2 },
  { name: "min", ms: 60_000, from: 2 },
] as const;

export const span = (milliseconds: number): string => {
  const ms = Math.max(milliseconds, 0);
  const unit = UNITS.find((candidate) => ms >= candidate.from * candidate.ms);
  return unit === undefined
    ? `${Math.floor(ms / 1_000)} s`
    : `${Math.floor(ms / unit.ms)} ${unit.name}`;
};

export const ago = (time: number, now: number): string => `${span(now - time)} ago`;
