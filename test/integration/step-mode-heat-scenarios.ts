/**
 * Heat's convergence scenarios (heat/tests/convergence/scenarios) as tables. Each line is a message
 * to Heat's engine. Its event loop lets the worker do one visit after each message, and `wait` is
 * visits only.
 */
import { att, ref, type Spec } from "./step-mode-driver.ts";

export type Line =
  | { readonly does: "create" | "update"; readonly spec: Spec }
  | { readonly does: "delete" | "rollback" }
  | { readonly does: "wait"; readonly visits: number }
  | { readonly does: "verify"; readonly spec: Spec }
  | { readonly does: "count"; readonly counts: Readonly<Record<string, number>> }
  | { readonly does: "count all"; readonly count: number }
  | { readonly does: "remember"; readonly name: string }
  | { readonly does: "kept" | "replaced"; readonly name: string };

const create = (spec: Spec): Line => ({ does: "create", spec });
const update = (spec: Spec): Line => ({ does: "update", spec });
const wait = (visits: number): Line => ({ does: "wait", visits });
const verify = (spec: Spec): Line => ({ does: "verify", spec });
const countAll = (count: number): Line => ({ does: "count all", count });
const count = (counts: Readonly<Record<string, number>>): Line => ({ does: "count", counts });
const remove: Line = { does: "delete" };
const rollback: Line = { does: "rollback" };

const five: Spec = {
  A: {},
  B: {},
  C: { properties: { a: "4alpha" }, after: ["A", "B"] },
  D: { properties: { c: ref("C") } },
  E: { properties: { ca: att("C", "a") } },
};
const without = (spec: Spec, name: string): Spec =>
  Object.fromEntries(Object.entries(spec).filter(([key]) => key !== name));
const six = (spec: Spec): Spec => ({ ...spec, F: { after: ["D", "E"] } });

const replacing = (a: string, name = "C"): Spec => ({
  A: { properties: { a } },
  B: {},
  [name]: { properties: { "!a": att("A", "a") }, after: ["B"] },
  D: { properties: { c: ref(name) } },
  E: { properties: { ca: att(name, "!a") } },
});

const twoKeyed = (a: string, b: string): Spec => ({
  A: { properties: { a } },
  B: {},
  C: { properties: { "!a": att("A", "a"), b } },
  D: { properties: { c: ref("C") } },
  E: { properties: { ca: att("C", "!a") } },
});

const chainOfFour = (c: string, d: string): Spec => ({
  A: {},
  B: { properties: { a: "4alpha" }, after: ["A"] },
  C: { properties: { a: c }, after: ["B"] },
  D: { properties: { a: d }, after: ["C"] },
});

const created = (spec: Spec): readonly Line[] => [create(spec), wait(5), verify(spec)];
const deleted = (visits: number): readonly Line[] => [remove, wait(visits), verify({})];

const first: Spec = {
  A: { properties: { "!a": "initial" } },
  B: { properties: { "!b": "first" }, after: ["A"] },
};
const inverted: Spec = {
  A: { properties: { "!a": "updated" }, after: ["B"] },
  B: { properties: { "!b": "second" } },
};

export const HEAT_SCENARIOS: Readonly<Record<string, readonly Line[]>> = {
  basic_create: created(five),
  basic_create_rollback: [create(five), wait(3), rollback, wait(6), verify({})],
  basic_update_delete: [
    create(five),
    wait(2),
    update(six(five)),
    countAll(3),
    wait(11),
    verify(six(five)),
    ...deleted(6),
  ],
  create_early_delete: [create(five), wait(2), ...deleted(6)],
  disjoint_create: created({
    ...five,
    C: { properties: { a: "4alpha" }, after: ["A"] },
    E: {},
  }),
  multiple_update: [
    ...created(five),
    update(without(five, "E")),
    wait(10),
    verify(without(five, "E")),
    update(six(five)),
    wait(12),
    verify(six(five)),
    ...deleted(6),
  ],
  update_add: [...created(five), update(six(five)), wait(11), verify(six(five))],
  update_add_concurrent: [
    create(five),
    wait(2),
    update(six(five)),
    countAll(3),
    wait(11),
    verify(six(five)),
  ],
  update_add_rollback: [
    ...created(five),
    update({ ...five, F: { after: ["A"] } }),
    wait(4),
    rollback,
    wait(8),
    verify(five),
  ],
  update_add_rollback_early: [
    ...created(five),
    update({ ...five, F: { after: ["D"] } }),
    wait(4),
    rollback,
    wait(8),
    verify(five),
  ],
  update_interrupt_create: [
    create(chainOfFour("foo", "bar")),
    wait(1),
    update(chainOfFour("blarg", "wibble")),
    countAll(2),
    wait(11),
    verify(chainOfFour("blarg", "wibble")),
  ],
  update_remove: [
    ...created(five),
    update(without(five, "E")),
    wait(9),
    verify(without(five, "E")),
  ],
  update_remove_rollback: [
    ...created(five),
    { does: "remember", name: "B" },
    update({ ...without(five, "B"), C: { properties: { a: "4alpha" }, after: ["A"] } }),
    wait(2),
    rollback,
    wait(10),
    verify(five),
    { does: "kept", name: "B" },
  ],
  update_replace: [
    ...created(replacing("initial")),
    { does: "remember", name: "C" },
    update(replacing("updated")),
    wait(11),
    verify(replacing("updated")),
    update(six(replacing("updated"))),
    wait(12),
    verify(six(replacing("updated"))),
    { does: "replaced", name: "C" },
    ...deleted(6),
  ],
  update_replace_invert_deps: [
    create(first),
    wait(4),
    verify(first),
    update(inverted),
    wait(4),
    count({ A: 2, B: 1 }),
    wait(2),
    verify(inverted),
    count({ A: 1, B: 1 }),
    ...deleted(3),
  ],
  update_replace_missed_cleanup: [
    ...created(replacing("initial")),
    update(replacing("updated")),
    wait(7),
    update(six(replacing("updated"))),
    count({ C: 2 }),
    wait(11),
    verify(six(replacing("updated"))),
    ...deleted(12),
  ],
  update_replace_missed_cleanup_delete: [
    ...created(replacing("initial")),
    update(replacing("updated")),
    wait(7),
    remove,
    count({ C: 2 }),
    wait(11),
    verify({}),
  ],
  update_replace_rollback: [
    ...created(replacing("initial")),
    update(replacing("updated")),
    wait(4),
    rollback,
    count({ C: 2 }),
    wait(11),
    verify(replacing("initial")),
    ...deleted(12),
  ],
  update_user_replace: [
    ...created(replacing("initial")),
    update(replacing("updated", "newC")),
    wait(11),
    verify(replacing("updated", "newC")),
    update(six(replacing("updated", "newC"))),
    wait(12),
    verify(six(replacing("updated", "newC"))),
    ...deleted(6),
  ],
  update_user_replace_rollback: [
    ...created(replacing("initial")),
    update(replacing("updated", "newC")),
    wait(3),
    rollback,
    wait(12),
    verify(replacing("initial")),
    ...deleted(6),
  ],
  update_user_replace_rollback_update: [
    ...created(twoKeyed("initial", "val1")),
    update(twoKeyed("updated", "val1")),
    wait(3),
    rollback,
    wait(12),
    verify(twoKeyed("initial", "val1")),
    update(twoKeyed("initial", "val2")),
    wait(3),
    verify(twoKeyed("initial", "val2")),
    wait(4),
    ...deleted(6),
  ],
};
