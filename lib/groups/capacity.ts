/** The size that a scaling policy or an update leads to, with exactly Heat's results. */

export const ADJUSTMENT_TYPES = {
  change_in_capacity: "change",
  ChangeInCapacity: "change",
  exact_capacity: "exact",
  ExactCapacity: "exact",
  percent_change_in_capacity: "percent",
  PercentChangeInCapacity: "percent",
} as const;

export type AdjustmentType = keyof typeof ADJUSTMENT_TYPES;

export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

export interface Adjustment {
  readonly type: AdjustmentType;
  readonly adjustment: number;
  readonly minStep: number | null;
}

/**
 * As in Heat, a maximum below the minimum wins. A negative size becomes 0, because a record with a
 * negative size could not be read again.
 */
export const clamped = (size: number, { minimum, maximum }: Bounds): number =>
  Math.max(size > maximum ? maximum : Math.max(size, minimum), 0);

const PERCENT = 100;

/** Rounds away from zero below one member, and otherwise toward zero. */
const wholeMembers = (change: number): number => {
  if (Math.abs(change) >= 1) return Math.trunc(change);
  return change > 0 ? Math.ceil(change) : Math.floor(change);
};

/** As in Heat, a change of 0 counts as negative. */
const atLeast = (change: number, minStep: number | null): number => {
  if (minStep === null || minStep <= Math.abs(change)) return change;
  return change > 0 ? minStep : -minStep;
};

export const newCapacity = (
  current: number,
  { type, adjustment: given, minStep }: Adjustment,
  bounds: Bounds,
): number => {
  // Heat's schema accepts a fraction, with which Heat then fails. Here it is cut off.
  const adjustment = ADJUSTMENT_TYPES[type] === "percent" ? given : Math.trunc(given);
  switch (ADJUSTMENT_TYPES[type]) {
    case "change":
      return clamped(current + adjustment, bounds);
    case "exact":
      return clamped(adjustment, bounds);
    case "percent": {
      const change = wholeMembers((current * adjustment) / PERCENT);
      return clamped(current + atLeast(change, minStep), bounds);
    }
  }
};
