import { type Edit, edit, type Mutant } from "./mutant.ts";

const nestedEdit = (file: string, find: string, replace: string): Edit => ({
  file: `lib/resources/nested/${file}`,
  find,
  replace,
});

export const NESTED_MUTANTS: readonly Mutant[] = [
  {
    name: "child without generation fence",
    rule: "P13 T41",
    edits: [
      nestedEdit(
        "nested-stack.ts",
        "if (owner.generation > call.generation) return OVERTAKEN;",
        "",
      ),
    ],
  },
  {
    name: "child polled by status",
    rule: "P13 T42",
    edits: [
      nestedEdit(
        "nested-result.ts",
        "if (owner === null || stack.traversalId !== traversalId) return failed(CHANGED);",
        "if (owner === null) return failed(CHANGED);",
      ),
    ],
  },
  {
    name: "delete of an absent child leaves no tombstone",
    rule: "P13",
    edits: [
      nestedEdit(
        "nested-stack.ts",
        "await leaveStackTombstone(engine, { ...stack, templateId: EMPTY_TEMPLATE_ID })",
        '("created" as string)',
      ),
    ],
  },
  {
    name: "waiting delete of a child ends as done",
    rule: "P13",
    edits: [
      edit(
        "stack/type-predicates.ts",
        'type.waiting.outlivesTraversal !== true && action !== "DELETE";',
        'type.waiting.outlivesTraversal !== true && (action !== "DELETE" || nestsStack(type));',
      ),
      edit("stack/type-predicates.ts", "  !nestsStack(type) &&\n  action", "  action"),
    ],
  },
  {
    name: "interruption does not stop the child",
    rule: "P13",
    edits: [
      nestedEdit(
        "nested-type.ts",
        'if (stack.status === "IN_PROGRESS") return cancelBelow(engine, stack);',
        'if (stack.status === "IN_PROGRESS") return true;',
      ),
    ],
  },
  {
    name: "end of a child does not wake its owner",
    rule: "P13",
    edits: [
      edit(
        "convergence/traversal/traversal.ts",
        "if (write.written && change.status !== undefined) await wakeOwner(ports, write.stack);",
        "",
      ),
    ],
  },
  {
    name: "child is kept if its properties are",
    rule: "P13",
    edits: [edit("decide.ts", "|| nestsStack(type)", "")],
  },
  {
    name: "child begun under a fresh traversal each time",
    rule: "P13 P3.4",
    edits: [
      nestedEdit(
        "nested-stack.ts",
        "if (owner.generation === call.generation) {",
        "if (owner.generation === call.generation && stack.status === null) {",
      ),
      nestedEdit(
        "nested-stack.ts",
        'engine.ids.derive("nested traversal", call.token)',
        "engine.ids.fresh()",
      ),
    ],
  },
  {
    name: "members wait for a barrier in a delete",
    rule: "P15",
    edits: [edit("plan-update.ts", "if (isBarrier(type)) return [];", "")],
  },
  {
    name: "barriers delay actions that change nothing",
    rule: "P15",
    edits: [
      edit(
        "convergence/graph/plan-graph.ts",
        "if (convergesTo(stack.action)) return definitions;",
        "if (stack !== null) return definitions;",
      ),
    ],
  },
];
