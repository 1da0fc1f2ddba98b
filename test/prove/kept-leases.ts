import type { Spec } from "../simulation/world/spec.ts";
import type { Configuration, Situation } from "./configuration.ts";

const polled = (v: string, seconds = "3", type = "Sim::Slow"): Spec[string] => ({
  type,
  properties: { v, seconds, poll: "3" },
});
const SOON: Spec = { a: polled("1") };
const LATER: Spec = { a: polled("1", "8") };

export const KEPT_LEASES: readonly Situation[] = [
  { title: "create", requests: [{ action: "CREATE", spec: SOON }] },
  { title: "create with a second wait", requests: [{ action: "CREATE", spec: LATER }] },
  {
    title: "failing create rolls back",
    requests: [{ action: "CREATE", spec: LATER }],
    rollback: true,
  },
  {
    title: "update",
    existing: SOON,
    requests: [{ action: "UPDATE", spec: { a: polled("2") } }],
  },
  {
    title: "create overtaken by delete",
    requests: [{ action: "CREATE", spec: SOON }, { action: "DELETE" }],
  },
  {
    title: "create with a second wait overtaken by delete",
    requests: [{ action: "CREATE", spec: LATER }, { action: "DELETE" }],
  },
  {
    title: "create of a locked object overtaken by delete",
    requests: [
      { action: "CREATE", spec: { a: polled("1", "8", "Sim::Locked") } },
      { action: "DELETE" },
    ],
  },
  {
    title: "create overtaken by update",
    requests: [
      { action: "CREATE", spec: LATER },
      { action: "UPDATE", spec: { a: polled("2", "8") } },
    ],
  },
  {
    title: "create overtaken by its removal",
    requests: [
      { action: "CREATE", spec: LATER },
      { action: "UPDATE", spec: {} },
    ],
  },
  {
    title: "create cancelled, deleted",
    requests: [{ action: "CREATE", spec: LATER }, { action: "cancel" }, { action: "DELETE" }],
  },
  {
    title: "replacement overtaken by rollback",
    existing: { a: { properties: { v: "1" } } },
    requests: [{ action: "UPDATE", spec: LATER }, { action: "ROLLBACK" }],
  },
  {
    title: "one refers to another",
    requests: [{ action: "CREATE", spec: { ...SOON, b: { ...polled("1"), refers: { to: "a" } } } }],
  },
  {
    title: "one refers to another, delete",
    requests: [
      { action: "CREATE", spec: { ...SOON, b: { ...polled("1"), refers: { to: "a" } } } },
      { action: "DELETE" },
    ],
  },
];

export const KEPT_LEASE_FAULTS: readonly Configuration["faults"][] = [
  { duplicate: 2 },
  { duplicate: 1, crash: 1 },
  { duplicate: 1, loss: 1 },
  { duplicate: 1, stall: 1 },
  { duplicate: 1, throttle: 1 },
  { duplicate: 1, poison: 1 },
  { crash: 2 },
  { stall: 1, sweep: 1 },
];
