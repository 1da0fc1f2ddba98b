import type { Spec } from "../simulation/world/spec.ts";
import type { Configuration, Situation } from "./configuration.ts";

const plain = (v: string): Spec => ({ a: { properties: { v } } });
const replaced = (r: string): Spec => ({ a: { properties: { "r!": r } } });
const waiting = (v: string): Spec => ({ a: { type: "Sim::Waiting", properties: { v } } });
const searched = (v: string): Spec => ({ a: { type: "Sim::Searchable", properties: { v } } });
const draining = (v: string): Spec => ({ a: { type: "Sim::Draining", properties: { v } } });
const pair = (v: string): Spec => ({ ...plain(v), b: { properties: { v }, refers: { to: "a" } } });

const update = (spec: Spec) => ({ action: "UPDATE", spec }) as const;
const remove = { action: "DELETE" } as const;

/** Each request may come before the restore, in the lost time, or after it. */
const SITUATIONS: readonly Situation[] = [
  { title: "create", requests: [{ action: "CREATE", spec: plain("1") }, remove] },
  { title: "create, searchable", requests: [{ action: "CREATE", spec: searched("1") }, remove] },
  {
    title: "two updates",
    existing: plain("1"),
    requests: [update(plain("2")), update(plain("3"))],
  },
  {
    title: "two replacements",
    existing: replaced("1"),
    requests: [update(replaced("2")), update(replaced("3"))],
  },
  {
    title: "two updates of one that waits",
    existing: waiting("1"),
    requests: [update(waiting("2")), update(waiting("3"))],
  },
  {
    title: "update and delete of one that waits",
    existing: waiting("1"),
    requests: [update(waiting("2")), remove],
  },
  {
    title: "creation of one that waits, updated",
    requests: [{ action: "CREATE", spec: waiting("1") }, update(waiting("2"))],
  },
  {
    title: "removal of one whose delete waits, and the same again",
    existing: draining("1"),
    requests: [update({}), update(draining("2"))],
  },
  {
    title: "suspend and resume",
    existing: plain("1"),
    requests: [{ action: "SUSPEND" }, { action: "RESUME" }],
  },
  {
    title: "update, rolled back",
    existing: plain("1"),
    requests: [update(plain("2")), { action: "ROLLBACK" }],
  },
  { title: "two of a pair", existing: pair("1"), requests: [update(pair("2")), update(pair("3"))] },
];

const FAULTS: readonly Configuration["faults"][] = [
  { restore: 1 },
  { restore: 2 },
  { restore: 1, crash: 1 },
  { restore: 1, duplicate: 1 },
  { restore: 1, loss: 1 },
];

const textOf = (faults: Configuration["faults"]): string =>
  Object.entries(faults)
    .map(([fault, count]) => (count === 1 ? fault : `${count} x ${fault}`))
    .join(", ");

export const RESTORED_FOLDERS: readonly Configuration[] = FAULTS.flatMap((faults) =>
  SITUATIONS.map((situation) => ({
    ...situation,
    title: `restored, ${situation.title}; ${textOf(faults)}`,
    faults,
    workersMax: 1,
    usersApart: true,
    timeoutMins: 3,
    signals: { count: 3, result: "COMPLETE" as const },
  })),
);
