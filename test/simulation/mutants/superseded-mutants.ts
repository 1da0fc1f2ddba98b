import { edit, type Mutant } from "./mutant.ts";

export const SUPERSEDED_MUTANTS: readonly Mutant[] = [
  {
    name: "settling takes a template that a row names",
    rule: "P16 S26",
    edits: [edit("stack/planned-rows.ts", "if (templateId !== null) names.add(templateId);", "")],
  },
  {
    name: "settling takes a template that a row's text is sealed against",
    rule: "P16 S26",
    edits: [
      edit("stack/planned-rows.ts", "for (const name of textTemplates) names.add(name);", ""),
    ],
  },
  {
    name: "settling takes the rollback's target",
    rule: "P16 S26",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "stack.templateId, stack.lastGood,",
        "stack.templateId,",
      ),
    ],
  },
  {
    name: "settling takes the target",
    rule: "P16 S26",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "stack.templateId, stack.lastGood,",
        "stack.lastGood,",
      ),
    ],
  },
  {
    name: "a refused fence does not stop the sweeper",
    rule: "P16 S26",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "if (!fence.written) return;",
        "if (!fence.written && fence.stack === null) return;",
      ),
      edit("convergence/sweep/sweep-stack.ts", "fence.stack, true", "stack, true"),
    ],
  },
  {
    name: "no fence before superseded templates go",
    rule: "P16 S26",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "await writeAsRead(ports, stack, false);",
        "{ written: true, stack } as const;",
      ),
    ],
  },
  {
    name: "superseded templates go at once",
    rule: "P16",
    edits: [
      edit("convergence/sweep/sweep-stack.ts", "endedAt < now - SETTLE_MS_MIN", "endedAt <= now"),
    ],
  },
  {
    name: "an updated stack settles at its end",
    rule: "P16",
    edits: [
      edit("convergence/traversal/stack-completion.ts", " && stack.traversalNumber === 1", ""),
    ],
  },
  {
    name: "a stack settles before its superseded templates go",
    rule: "P16",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "await writeAsRead(ports, stack, false);",
        "await writeAsRead(ports, stack, true);",
      ),
    ],
  },
  {
    name: "superseded templates go while an operation goes on",
    rule: "P16 S26",
    edits: [edit("convergence/sweep/sweep-stack.ts", "busy.length === 0 && ", "")],
  },
];
