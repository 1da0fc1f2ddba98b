/**
 * Updates that change one or two things of a stack (P24), and what may come after them. In a held
 * shape a row that is not visited depends only by order on one that is visited.
 */
import type { Spec } from "../simulation/world/spec.ts";
import type { ScriptedRequest } from "./configuration.ts";

interface Partial {
  readonly title: string;
  readonly existing: Spec;
  readonly requests: readonly ScriptedRequest[];
  readonly rollback?: boolean;
}

const node = (v: string, replacing = "1") => ({ properties: { v, "r!": replacing } });
const after = (v: string, replacing: string, ...names: string[]) => ({
  ...node(v, replacing),
  after: names,
});
const on = (v: string, replacing = "1") => ({ ...node(v, replacing), refers: { to: "a" } });
const to = (spec: Spec): ScriptedRequest => ({ action: "UPDATE", spec });

const HELD: Spec = { a: node("1"), b: after("1", "1", "a") };
const HELD_REPLACED: Spec = { a: node("1", "2"), b: after("1", "1", "a") };
const HELD_CHANGED: Spec = { a: node("1"), b: after("2", "1", "a") };
const HELD_BOTH: Spec = { a: node("1", "2"), b: after("2", "1", "a") };
const CHAIN: Spec = { a: node("1"), b: after("1", "1", "a"), c: after("1", "1", "b") };
const CHAIN_ENDS: Spec = { a: node("2"), b: after("1", "1", "a"), c: after("2", "1", "b") };
const CHAIN_REPLACED: Spec = {
  a: node("1", "2"),
  b: after("1", "1", "a"),
  c: after("1", "2", "b"),
};
const APART: Spec = { a: node("1"), b: node("1") };
const APART_B: Spec = { a: node("1"), b: node("2") };
const APART_BOTH: Spec = { a: node("1", "2"), b: node("2") };
const REFERS: Spec = { a: node("1"), b: on("1") };
const NAMED: Spec = { a: { ...node("1"), type: "Sim::Named" }, b: after("1", "1", "a") };
const NAMED_REPLACED: Spec = {
  a: { ...node("2", "2"), type: "Sim::Named" },
  b: after("1", "1", "a"),
};

export const PARTIAL_UPDATES: readonly Partial[] = [
  {
    title: "in place, refers to what is kept",
    existing: REFERS,
    requests: [to({ a: node("1"), b: on("2") })],
  },
  {
    title: "replaced, refers to what is kept, rolls back",
    existing: REFERS,
    requests: [to({ a: node("1"), b: on("1", "2") })],
    rollback: true,
  },
  { title: "held, in place", existing: HELD, requests: [to({ ...HELD, a: node("2") })] },
  { title: "held, replaced", existing: HELD, requests: [to(HELD_REPLACED)] },
  {
    title: "held, replaced, rolls back",
    existing: HELD,
    requests: [to(HELD_REPLACED)],
    rollback: true,
  },
  {
    title: "held, replaced, overtaken by a change of the holder",
    existing: HELD,
    requests: [to(HELD_REPLACED), to(HELD_BOTH)],
  },
  {
    title: "held, replaced, overtaken by its opposite",
    existing: HELD,
    requests: [to(HELD_REPLACED), to(HELD_CHANGED)],
  },
  {
    title: "held, replaced, overtaken by delete",
    existing: HELD,
    requests: [to(HELD_REPLACED), { action: "DELETE" }],
  },
  {
    title: "held, replaced, rolled back by the user",
    existing: HELD,
    requests: [to(HELD_REPLACED), { action: "ROLLBACK" }],
  },
  {
    title: "held, replaced, cancelled, updated",
    existing: HELD,
    requests: [to(HELD_REPLACED), { action: "cancel" }, to(HELD_BOTH)],
  },
  {
    title: "held, replaced with the same object",
    existing: NAMED,
    requests: [to(NAMED_REPLACED)],
    rollback: true,
  },
  {
    title: "one, then the other",
    existing: APART,
    requests: [to(APART_B), to(APART_BOTH)],
    rollback: true,
  },
  {
    title: "one, then the other, then back",
    existing: APART,
    requests: [to(APART_B), to(APART_BOTH), { action: "ROLLBACK" }],
  },
  {
    title: "one, check, the other",
    existing: APART,
    requests: [to(APART_B), { action: "CHECK" }, to(APART_BOTH)],
  },
  {
    title: "one, then delete",
    existing: APART,
    requests: [to(APART_B), { action: "DELETE" }],
  },
  { title: "one removed", existing: APART, requests: [to({ a: node("1") })] },
  {
    title: "one added",
    existing: { a: node("1") },
    requests: [to(REFERS)],
    rollback: true,
  },
  { title: "both ends in place", existing: CHAIN, requests: [to(CHAIN_ENDS)] },
  {
    title: "both ends replaced",
    existing: CHAIN,
    requests: [to(CHAIN_REPLACED)],
    rollback: true,
  },
  {
    title: "first replaced, last removed",
    existing: CHAIN,
    requests: [to({ a: node("1", "2"), b: after("1", "1", "a") })],
  },
  {
    title: "two replaced under one holder",
    existing: { a: node("1"), d: node("1"), c: after("1", "1", "a", "d") },
    requests: [to({ a: node("1", "2"), d: node("1", "2"), c: after("1", "1", "a", "d") })],
  },
];
