import type { Spec } from "../simulation/world/spec.ts";
import type { Situation } from "./configuration.ts";

const slowly = (type: string): Spec[string] => ({ type, properties: { v: "1" } });
export const DELETES_AT_ONCE: readonly Situation[] = [
  "Sim::Slow",
  "Sim::Late",
  "Sim::Locked",
].flatMap((type): readonly Situation[] => [
  {
    title: `creation of ${type} overtaken by delete`,
    requests: [{ action: "CREATE", spec: { a: slowly(type) } }, { action: "DELETE" }],
  },
  {
    title: `creation of ${type} overtaken by its removal`,
    requests: [
      { action: "CREATE", spec: { a: slowly(type) } },
      { action: "UPDATE", spec: {} },
    ],
  },
  {
    title: `creation of ${type} overtaken by its removal, then wanted`,
    requests: [
      { action: "CREATE", spec: { a: slowly(type) } },
      { action: "UPDATE", spec: {} },
      { action: "UPDATE", spec: { a: slowly(type) } },
    ],
  },
  {
    title: `creation of ${type} cancelled, deleted`,
    requests: [
      { action: "CREATE", spec: { a: slowly(type) } },
      { action: "cancel" },
      { action: "DELETE" },
    ],
  },
  {
    title: `replacement by ${type} overtaken by rollback`,
    existing: { a: { properties: { v: "1" } } },
    requests: [{ action: "UPDATE", spec: { a: slowly(type) } }, { action: "ROLLBACK" }],
  },
  {
    title: `one refers to ${type}, delete`,
    requests: [
      {
        action: "CREATE",
        spec: { a: slowly(type), b: { ...slowly(type), refers: { to: "a" } } },
      },
      { action: "DELETE" },
    ],
  },
]);
