/**
 * Lives of a stack in which requests meet: partial updates (P24), and deletes that end running
 * operations (P25). `crash-points.ts` plays them like the crash scenario.
 */
import type { StackAction } from "#lib/model/action.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import { replaced, v } from "./specs.ts";

export interface LifeRequest {
  readonly action: StackAction;
  readonly spec?: Spec;
  /**
   * The state in which the request ends. Null: the next request comes when everything waits for the
   * provider.
   */
  readonly end: string | null;
  readonly nodes?: string;
  readonly visitsAll?: boolean;
  readonly signals?: readonly string[];
}

const after = (one: ResourceSpec, ...names: string[]): ResourceSpec => ({ ...one, after: names });
const named = (value: string): ResourceSpec => ({
  type: "Sim::Named",
  properties: { "v!": value },
});

const family = (value: string, last: string): Spec => ({
  a: replaced(value),
  d: replaced(value),
  holds: after(v("1"), "a"),
  holdsBoth: after(v("1"), "a", "d"),
  refers: v("1", { to: "a" }),
  between: after(v("1"), "refers"),
  last: after(v(last), "between"),
  named: named(value),
  holdsNamed: after(v("1"), "named"),
  apart: v("1"),
});
const PARTIAL_SPEC: Spec = {
  ...family("2", "2"),
  added: v("1", { to: "apart" }),
};

/**
 * An update that visits a part, one that visits everything, and a partial one that fails and rolls
 * back. Each may overtake the one before.
 */
export const PARTIAL: readonly LifeRequest[] = [
  { action: "CREATE", spec: { ...family("1", "1"), removed: v("1") }, end: "CREATE_COMPLETE" },
  {
    action: "UPDATE",
    spec: PARTIAL_SPEC,
    end: "UPDATE_COMPLETE",
    nodes:
      "aC aU addedU betweenC betweenU dC dU lastC lastU namedC namedU refersC refersU removedC",
  },
  {
    action: "UPDATE",
    spec: { ...PARTIAL_SPEC, a: replaced("3") },
    end: "UPDATE_COMPLETE",
    visitsAll: true,
  },
  {
    action: "UPDATE",
    spec: {
      ...PARTIAL_SPEC,
      a: replaced("4"),
      broken: { type: "Sim::Broken", refers: { to: "apart" }, after: ["a"] },
    },
    end: "ROLLBACK_COMPLETE",
  },
  { action: "DELETE", end: "DELETE_COMPLETE" },
];

export const HELD: readonly LifeRequest[] = [
  {
    action: "CREATE",
    spec: { a: replaced("1"), b: after(v("1"), "a") },
    end: "CREATE_COMPLETE",
  },
  {
    action: "UPDATE",
    spec: { a: replaced("2"), b: after(v("1"), "a") },
    end: "UPDATE_COMPLETE",
    nodes: "aC aU",
  },
  { action: "DELETE", end: "DELETE_COMPLETE" },
];

const groups = (count: number, removed: readonly string[]): Spec => ({
  g: { group: { count, removed, member: v("1") } },
  s: { scaling: { minimum: 1, maximum: 3, member: v("1") } },
  up: { policy: { adjustment: 1 }, refers: { auto_scaling_group_id: "s" } },
  down: { policy: { adjustment: -1 }, refers: { auto_scaling_group_id: "s" } },
});

export const PARTIAL_GROUPS: readonly LifeRequest[] = [
  { action: "CREATE", spec: groups(2, []), end: "CREATE_COMPLETE", signals: ["up"] },
  { action: "UPDATE", spec: groups(3, ["0"]), end: "UPDATE_COMPLETE", signals: ["up", "down"] },
  { action: "UPDATE", spec: { ...groups(2, ["0"]), other: v("1") }, end: "UPDATE_COMPLETE" },
  { action: "DELETE", end: "DELETE_COMPLETE" },
];

/** Longer than a run, so a visit that waits for this type never comes to rest. */
const ENDLESS_SECONDS = "100000";
const endless = (type: string, which = "1"): ResourceSpec => ({
  type,
  properties: { "r!": which, seconds: ENDLESS_SECONDS },
});
const soon = (type: string, refers: ResourceSpec["refers"] = {}): ResourceSpec => ({
  type,
  properties: { "r!": "1", seconds: "20" },
  refers,
});
const WAITING: ResourceSpec = { type: "Sim::Waiting", properties: { v: "1" } };

const KEPT: Spec = { q: v("1"), locked: soon("Sim::Locked"), t: soon("Sim::Slow", { to: "q" }) };

/**
 * A removal, a rollback and a delete, each of which ends running operations. The provider of `late`
 * returns its id late, and deletes nothing before. `waiting` may be signalled meanwhile.
 */
export const DELETES: readonly LifeRequest[] = [
  {
    action: "CREATE",
    spec: {
      ...KEPT,
      slow: endless("Sim::Slow"),
      late: soon("Sim::Late"),
      waiting: WAITING,
    },
    end: null,
  },
  { action: "UPDATE", spec: KEPT, end: "UPDATE_COMPLETE" },
  {
    action: "UPDATE",
    spec: { ...KEPT, t: { ...endless("Sim::Slow", "2"), refers: { to: "q" } } },
    end: null,
  },
  { action: "ROLLBACK", end: "ROLLBACK_COMPLETE" },
  {
    action: "UPDATE",
    spec: {
      ...KEPT,
      t: { ...endless("Sim::Slow"), refers: { to: "q" } },
      late: soon("Sim::Late"),
      waiting: WAITING,
    },
    end: null,
  },
  { action: "DELETE", end: "DELETE_COMPLETE" },
];

const deleteDuring = (spec: Spec): readonly LifeRequest[] => [
  { action: "CREATE", spec, end: null },
  { action: "DELETE", end: "DELETE_COMPLETE" },
];

export const DELETES_SLOW = deleteDuring({ a: endless("Sim::Slow") });
export const DELETES_LATE = deleteDuring({ a: soon("Sim::Late") });
export const DELETES_WAITING = deleteDuring({ a: WAITING });
