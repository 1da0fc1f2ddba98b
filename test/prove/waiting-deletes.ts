import type { Spec } from "../simulation/world/spec.ts";
import type { Situation } from "./configuration.ts";

const draining = (v: string, replacing = "1"): Spec[string] => ({
  type: "Sim::Draining",
  properties: { v, "r!": replacing },
});
const ONE: Spec = { a: draining("1") };
const OTHER: Spec = { b: { properties: { v: "1" } } };
const REPLACED: Spec = { a: draining("1", "2") };
const REMOVAL = { action: "UPDATE", spec: {} } as const;
const REPLACEMENT = { action: "UPDATE", spec: REPLACED } as const;

export const WAITING_DELETES: readonly Situation[] = [
  { title: "removed", existing: ONE, requests: [REMOVAL] },
  {
    title: "removal overtaken by update",
    existing: ONE,
    requests: [REMOVAL, { action: "UPDATE", spec: OTHER }],
  },
  {
    title: "removal overtaken twice",
    existing: ONE,
    requests: [REMOVAL, { action: "UPDATE", spec: OTHER }, REMOVAL],
  },
  {
    title: "removed, then wanted again",
    existing: ONE,
    requests: [REMOVAL, { action: "UPDATE", spec: ONE }],
  },
  {
    title: "removal overtaken by delete",
    existing: ONE,
    requests: [REMOVAL, { action: "DELETE" }],
  },
  {
    title: "removal cancelled, then updated",
    existing: ONE,
    requests: [REMOVAL, { action: "cancel" }, { action: "UPDATE", spec: OTHER }],
  },
  {
    title: "removal overtaken by rollback",
    existing: ONE,
    requests: [REMOVAL, { action: "ROLLBACK" }],
  },
  {
    title: "removal, failing, rolls back",
    existing: ONE,
    requests: [{ action: "UPDATE", spec: OTHER }],
    rollback: true,
  },
  {
    title: "replaced, overtaken by update",
    existing: ONE,
    requests: [REPLACEMENT, { action: "UPDATE", spec: { ...REPLACED, ...OTHER } }],
  },
  {
    title: "replaced, overtaken by rollback",
    existing: ONE,
    requests: [REPLACEMENT, { action: "ROLLBACK" }],
  },
  {
    title: "delete overtaken by delete",
    existing: ONE,
    requests: [{ action: "DELETE" }, { action: "DELETE" }],
  },
];
