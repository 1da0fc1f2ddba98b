import type { Spec } from "../simulation/world/spec.ts";
import type { Situation } from "./configuration.ts";

const node = (v: string, replacing = "1") => ({ properties: { v, "r!": replacing } });
const on = (v: string) => ({ ...node(v), refers: { to: "a" } });
const waiting = (v: string) => ({ type: "Sim::Waiting", properties: { v } });

const ONE: Spec = { a: node("1") };
const ONE_CHANGED: Spec = { a: node("2") };
const ONE_REPLACED: Spec = { a: node("1", "2") };
const TWO: Spec = { a: node("1"), b: on("1") };
const TWO_CHANGED: Spec = { a: node("2"), b: on("2") };
const TWO_REPLACED: Spec = { a: node("1", "2"), b: on("1") };
const TURNED: Spec = { b: node("1"), a: { ...node("1"), refers: { to: "b" } } };

const named = (v: string, replacing = "1") => ({ ...node(v, replacing), type: "Sim::Named" });
const NAMED: Spec = { a: named("1"), b: on("1") };
const NAMED_REPLACED: Spec = { a: named("2", "2"), b: on("1") };
const NAMED_AGAIN: Spec = { a: named("3", "3"), b: on("1") };

export const ONE_NODE: readonly Situation[] = [
  { title: "create", requests: [{ action: "CREATE", spec: ONE }] },
  { title: "update in place", existing: ONE, requests: [{ action: "UPDATE", spec: ONE_CHANGED }] },
  { title: "replace", existing: ONE, requests: [{ action: "UPDATE", spec: ONE_REPLACED }] },
  { title: "remove", existing: ONE, requests: [{ action: "UPDATE", spec: {} }] },
  { title: "delete", existing: ONE, requests: [{ action: "DELETE" }] },
  {
    title: "suspend, resume",
    existing: ONE,
    requests: [{ action: "SUSPEND" }, { action: "RESUME" }],
  },
  { title: "check", existing: ONE, requests: [{ action: "CHECK" }] },
  { title: "update to the same target", existing: ONE, requests: [{ action: "UPDATE" }] },
];

export const OVERTAKINGS: readonly Situation[] = [
  {
    title: "create overtaken by update",
    requests: [
      { action: "CREATE", spec: ONE },
      { action: "UPDATE", spec: ONE_CHANGED },
    ],
  },
  {
    title: "create overtaken by delete",
    requests: [{ action: "CREATE", spec: ONE }, { action: "DELETE" }],
  },
  {
    title: "update overtaken by replacement",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: ONE_CHANGED },
      { action: "UPDATE", spec: ONE_REPLACED },
    ],
  },
  {
    title: "replacement overtaken by rollback",
    existing: ONE,
    requests: [{ action: "UPDATE", spec: ONE_REPLACED }, { action: "ROLLBACK" }],
  },
  {
    title: "removal overtaken by update",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: {} },
      { action: "UPDATE", spec: ONE_CHANGED },
    ],
  },
  {
    title: "replacement cancelled, then updated",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: ONE_REPLACED },
      { action: "cancel" },
      { action: "UPDATE", spec: ONE_CHANGED },
    ],
  },
  {
    title: "update to the same target overtaken by replacement",
    existing: ONE,
    requests: [{ action: "UPDATE" }, { action: "UPDATE", spec: ONE_REPLACED }],
  },
  {
    title: "update, replacement, delete",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: ONE_CHANGED },
      { action: "UPDATE", spec: ONE_REPLACED },
      { action: "DELETE" },
    ],
  },
];

export const TWO_NODES: readonly Situation[] = [
  { title: "create", requests: [{ action: "CREATE", spec: TWO }] },
  { title: "update in place", existing: TWO, requests: [{ action: "UPDATE", spec: TWO_CHANGED }] },
  { title: "replace", existing: TWO, requests: [{ action: "UPDATE", spec: TWO_REPLACED }] },
  { title: "turn round", existing: TWO, requests: [{ action: "UPDATE", spec: TURNED }] },
  { title: "delete", existing: TWO, requests: [{ action: "DELETE" }] },
  {
    title: "failing update rolls back",
    existing: TWO,
    requests: [{ action: "UPDATE", spec: TWO_REPLACED }],
    rollback: true,
  },
  {
    title: "replacement overtaken by delete",
    existing: TWO,
    requests: [{ action: "UPDATE", spec: TWO_REPLACED }, { action: "DELETE" }],
  },
  {
    title: "update to the same target overtaken by turning round",
    existing: TWO,
    requests: [{ action: "UPDATE" }, { action: "UPDATE", spec: TURNED }],
  },
  {
    title: "replacement overtaken by its opposite",
    existing: TWO,
    requests: [
      { action: "UPDATE", spec: TWO_REPLACED },
      { action: "UPDATE", spec: TWO_CHANGED },
    ],
  },
];

export const WAITING_NODE: readonly Situation[] = [
  { title: "create", requests: [{ action: "CREATE", spec: { a: waiting("1") } }] },
  {
    title: "create overtaken by update",
    requests: [
      { action: "CREATE", spec: { a: waiting("1") } },
      { action: "UPDATE", spec: { a: waiting("2") } },
    ],
  },
  {
    title: "create overtaken by delete",
    requests: [{ action: "CREATE", spec: { a: waiting("1") } }, { action: "DELETE" }],
  },
];

export const NODE_AT_REST: readonly Situation[] = [
  {
    title: "updated and replaced",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: ONE_CHANGED },
      { action: "UPDATE", spec: ONE_REPLACED },
    ],
  },
  {
    title: "updated and rolled back by the user",
    existing: ONE,
    requests: [{ action: "UPDATE", spec: ONE_REPLACED }, { action: "ROLLBACK" }],
  },
  {
    title: "updated, checked and deleted",
    existing: ONE,
    requests: [{ action: "UPDATE", spec: ONE_CHANGED }, { action: "CHECK" }, { action: "DELETE" }],
  },
  {
    title: "updated, rolls back and updated",
    existing: ONE,
    requests: [
      { action: "UPDATE", spec: ONE_REPLACED },
      { action: "UPDATE", spec: ONE_CHANGED },
    ],
    rollback: true,
  },
];

export const NAMED_OBJECTS: readonly Situation[] = [
  { title: "replaced", existing: NAMED, requests: [{ action: "UPDATE", spec: NAMED_REPLACED }] },
  {
    title: "replaced, failing, rolls back",
    existing: NAMED,
    requests: [{ action: "UPDATE", spec: NAMED_REPLACED }],
    rollback: true,
  },
  {
    title: "replacement overtaken by rollback",
    existing: NAMED,
    requests: [{ action: "UPDATE", spec: NAMED_REPLACED }, { action: "ROLLBACK" }],
  },
  {
    title: "replacement overtaken by another",
    existing: NAMED,
    requests: [
      { action: "UPDATE", spec: NAMED_REPLACED },
      { action: "UPDATE", spec: NAMED_AGAIN },
    ],
  },
  {
    title: "replacement overtaken by delete",
    existing: NAMED,
    requests: [{ action: "UPDATE", spec: NAMED_REPLACED }, { action: "DELETE" }],
  },
];

const seen = { type: "Sim::Seeing", properties: { v: "1" }, external: "the user's a" };
const EXTERNAL: Spec = { a: seen, b: on("1") };
const EXTERNAL_GONE: Spec = { b: node("1") };
const MANAGED: Spec = { a: node("1"), b: on("1") };
export const EXTERNAL_OBJECTS: readonly Situation[] = [
  { title: "created", requests: [{ action: "CREATE", spec: EXTERNAL }] },
  {
    title: "created, rolls back",
    requests: [{ action: "CREATE", spec: EXTERNAL }],
    rollback: true,
  },
  {
    title: "created, overtaken by delete",
    requests: [{ action: "CREATE", spec: EXTERNAL }, { action: "DELETE" }],
  },
  {
    title: "removed, rolls back",
    existing: EXTERNAL,
    requests: [{ action: "UPDATE", spec: EXTERNAL_GONE }],
    rollback: true,
  },
  {
    title: "in place of an own one, overtaken by its opposite",
    existing: MANAGED,
    requests: [
      { action: "UPDATE", spec: EXTERNAL },
      { action: "UPDATE", spec: MANAGED },
    ],
  },
  {
    title: "replaced by an own one, rolled back by the user",
    existing: EXTERNAL,
    requests: [{ action: "UPDATE", spec: MANAGED }, { action: "ROLLBACK" }],
  },
];

/**
 * A worker that dies during the creation leaves a question for the user, and nothing may hide it
 * (P18).
 */
const LOST: Spec = { a: { type: "Sim::Tokenless", properties: { v: "1" } }, b: on("1") };
const LOST_CHANGED: Spec = { a: { type: "Sim::Tokenless", properties: { v: "2" } }, b: on("1") };
export const LOST_CREATIONS: readonly Situation[] = [
  { title: "created", requests: [{ action: "CREATE", spec: LOST }] },
  { title: "created, rolls back", requests: [{ action: "CREATE", spec: LOST }], rollback: true },
  {
    title: "creation overtaken by update",
    requests: [
      { action: "CREATE", spec: LOST },
      { action: "UPDATE", spec: LOST_CHANGED },
    ],
  },
  {
    title: "creation overtaken by delete",
    requests: [{ action: "CREATE", spec: LOST }, { action: "DELETE" }],
  },
];

/** A row whose change was refused keeps its object (D9). */
const mended = (v: string) => ({ type: "Sim::Mended", properties: { v } });
const MENDED: Spec = { a: mended("1"), b: on("1") };
const MENDED_CHANGED: Spec = { a: mended("2"), b: on("2") };
export const REPAIRS: readonly Situation[] = [
  {
    title: "update in place, rolls back",
    existing: MENDED,
    requests: [{ action: "UPDATE", spec: MENDED_CHANGED }],
    rollback: true,
  },
  {
    title: "update overtaken by its opposite",
    existing: MENDED,
    requests: [
      { action: "UPDATE", spec: MENDED_CHANGED },
      { action: "UPDATE", spec: MENDED },
    ],
  },
  {
    title: "update overtaken by delete",
    existing: MENDED,
    requests: [{ action: "UPDATE", spec: MENDED_CHANGED }, { action: "DELETE" }],
  },
];
