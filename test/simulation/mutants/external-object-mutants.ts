import { edit, type Mutant } from "./mutant.ts";

export const EXTERNAL_OBJECT_MUTANTS: readonly Mutant[] = [
  {
    name: "an external object is created",
    rule: "P19",
    edits: [
      edit(
        "decide.ts",
        'stackAction === "ADOPT" || externalId !== null',
        'stackAction === "ADOPT"',
      ),
    ],
  },
  {
    name: "a resource in service gets another object",
    rule: "P19 T54",
    edits: [
      edit(
        "decide.ts",
        'return hasFailed ? replace("failed") : { kind: "refuse", reason: otherObject(row) };',
        'return hasFailed ? replace("failed") : act("ADOPT");',
      ),
    ],
  },
  {
    name: "an external object of a failed row is updated",
    rule: "P19 T55",
    edits: [
      edit(
        "decide.ts",
        'return hasFailed ? act("ADOPT") : KEEP;',
        'return hasFailed ? act("UPDATE") : KEEP;',
      ),
    ],
  },
  {
    name: "a cleanup deletes an external object",
    rule: "P19 T55",
    edits: [edit("decide.ts", 'if (row.externalId !== null) return { kind: "drop" };', "")],
  },
  {
    name: "a row does not know that its object is external",
    rule: "P19",
    edits: [edit("act.ts", '...(action === "ADOPT" ? { externalId: plan.externalId } : {}),', "")],
  },
  {
    name: "nobody looks at an external object",
    rule: "P19 T55",
    edits: [
      edit("provider-call.ts", "await handleCheck?.(named, context)", "await handleCheck?.name"),
    ],
  },
  {
    name: "a look at an external object is taken for a lost call",
    rule: "P19 T56",
    edits: [
      edit(
        "provider-call.ts",
        'if (operation.action === "ADOPT" && row.externalId !== null) return null;',
        "",
      ),
    ],
  },
  {
    name: "an external object is given back with other properties",
    rule: "P19 P17 T57",
    edits: [edit("provider-call.ts", "|| isExternal) return kept;", ") return kept;")],
  },
];
