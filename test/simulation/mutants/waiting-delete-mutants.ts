import { edit, type Mutant } from "./mutant.ts";

export const WAITING_DELETE_MUTANTS: readonly Mutant[] = [
  {
    name: "a delete that waits ends as done when it is overtaken",
    rule: "P3.4 L11 T88",
    edits: [
      edit(
        "stack/type-predicates.ts",
        'type.waiting.outlivesTraversal !== true && action !== "DELETE";',
        'type.waiting.outlivesTraversal !== true && (action !== "DELETE" || !nestsStack(type));',
      ),
    ],
  },
  {
    name: "a delete that waits has no end of its own",
    rule: "P3.4 L3 L11 T89",
    edits: [
      edit(
        "operation.ts",
        "const isOver = ports.clock.now() >= operation.deadline;",
        'const isOver = operation.action !== "DELETE" && ports.clock.now() >= operation.deadline;',
      ),
    ],
  },
  {
    name: "each newer request gives a delete that waits its own time",
    rule: "P3.4 L3 L11 T89",
    edits: [
      edit(
        "operation.ts",
        "const isOver = ports.clock.now() >= operation.deadline;",
        "const isOver = ports.clock.now() >= Math.max(operation.deadline, stack.deadline);",
      ),
    ],
  },
  {
    name: "the deadline of a newer request ends a delete that waits",
    rule: "P3.4 P7 L11",
    edits: [
      edit(
        "operation.ts",
        "const isOver = ports.clock.now() >= operation.deadline;",
        "const isOver = ports.clock.now() >= Math.min(operation.deadline, stack.deadline);",
      ),
    ],
  },
  {
    name: "an update that wants a resource again ends its delete",
    rule: "P3.4 L11 T88",
    edits: [
      edit(
        "act.ts",
        "if (isInterrupted || forDelete || !isPolledLater) {",
        "if (isInterrupted || forDelete || !isPolledLater || visit.message.isUpdate) {",
      ),
      edit(
        "act.ts",
        "driveOperation(ports, visit.stack, taken.row, { isReclaimed: true, forDelete })",
        "driveOperation(ports, visit.stack, taken.row, { isReclaimed: true, forDelete: forDelete || visit.message.isUpdate })",
      ),
    ],
  },
  {
    name: "the answer of an overtaken delete wakes nobody",
    rule: "P3.4 P4 L11",
    edits: [
      edit(
        "act.ts",
        '    await sendWaitingVisit(ports, visit, BOTH_NODES);\n    return stopped("overtaken");',
        '    return stopped("overtaken");',
      ),
    ],
  },
  {
    name: "a roll waits for the delete of an older one",
    rule: "P21 L11",
    edits: [
      edit("resources/nested/older-operations.ts", '      operation.action !== "DELETE" &&\n', ""),
    ],
  },
];
