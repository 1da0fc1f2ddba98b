import { describe, expect, it } from "vitest";
import { type AdjustmentType, clamped, newCapacity } from "#lib/groups/capacity.ts";

const bounds = { minimum: 1, maximum: 100 };
const sizeAfter = (
  current: number,
  type: AdjustmentType,
  adjustment: number,
  minStep: number | null = null,
): number => newCapacity(current, { type, adjustment, minStep }, bounds);

describe("the capacity after an adjustment", () => {
  it("changes by a number or is a number, in Heat's words and CloudFormation's", () => {
    expect(sizeAfter(5, "change_in_capacity", -2)).toBe(3);
    expect(sizeAfter(5, "ChangeInCapacity", 2)).toBe(7);
    expect(sizeAfter(5, "exact_capacity", 9)).toBe(9);
    expect(sizeAfter(5, "ExactCapacity", 2)).toBe(2);
  });

  it("takes no notice of a fraction of a member", () => {
    expect(sizeAfter(5, "change_in_capacity", 1.5)).toBe(6);
    expect(sizeAfter(5, "change_in_capacity", -1.5)).toBe(4);
    expect(sizeAfter(5, "change_in_capacity", 0.9)).toBe(5);
    expect(sizeAfter(5, "exact_capacity", 2.7)).toBe(2);
    expect(sizeAfter(3, "percent_change_in_capacity", 33.4)).toBe(4);
  });

  it("rounds a percentage toward zero, but changes by at least one member", () => {
    expect(sizeAfter(10, "percent_change_in_capacity", 19)).toBe(11);
    expect(sizeAfter(10, "percent_change_in_capacity", -19)).toBe(9);
    expect(sizeAfter(10, "PercentChangeInCapacity", 1)).toBe(11);
    expect(sizeAfter(10, "PercentChangeInCapacity", -1)).toBe(9);
    expect(sizeAfter(10, "percent_change_in_capacity", 0)).toBe(10);
  });

  it("changes by at least the least step, which only a percentage has", () => {
    expect(sizeAfter(10, "percent_change_in_capacity", 10, 3)).toBe(13);
    expect(sizeAfter(10, "percent_change_in_capacity", -10, 3)).toBe(7);
    expect(sizeAfter(10, "percent_change_in_capacity", 50, 3)).toBe(15);
    expect(sizeAfter(10, "change_in_capacity", 1, 3)).toBe(11);
  });

  it("shrinks by the least step where the percentage gives no change, as Heat does", () => {
    expect(sizeAfter(10, "percent_change_in_capacity", 0, 3)).toBe(7);
  });

  it("stays between the bounds, of which the maximum wins", () => {
    expect(sizeAfter(99, "change_in_capacity", 9)).toBe(100);
    expect(sizeAfter(2, "change_in_capacity", -9)).toBe(1);
    expect(clamped(5, { minimum: 4, maximum: 2 })).toBe(2);
    expect(clamped(0, { minimum: 0, maximum: 2 })).toBe(0);
  });

  it("is no member where the bounds ask for less, which a computed size may do", () => {
    expect(clamped(-1, { minimum: -1, maximum: -1 })).toBe(0);
    expect(clamped(-5, { minimum: -3, maximum: 2 })).toBe(0);
  });
});
