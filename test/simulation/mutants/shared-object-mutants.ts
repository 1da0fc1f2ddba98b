import { edit, type Mutant } from "./mutant.ts";

export const SHARED_OBJECT_MUTANTS: readonly Mutant[] = [
  {
    name: "the old row's cleanup deletes the object of its replacement",
    rule: "P17 T44",
    edits: [
      edit(
        "plan-cleanup.ts",
        'retained === "nothing" ? await newerHolder(ports, row) : null',
        'retained === "its object" ? await newerHolder(ports, row) : null',
      ),
    ],
  },
  {
    name: "a replacement that is rolled back deletes the object of the old row",
    rule: "P17 T45",
    edits: [
      edit(
        "provider-call.ts",
        'operation.action === "DELETE" ? await formerHolder',
        'operation.action === "ADOPT" ? await formerHolder',
      ),
    ],
  },
  {
    name: "an object is not given back as its row wants it",
    rule: "P17 T45",
    edits: [
      edit(
        "provider-call.ts",
        "if (handleUpdate === undefined || holder.properties === null || isExternal) return kept;",
        'if (handleUpdate === undefined || isExternal || holder.type !== "") return kept;',
      ),
    ],
  },
  {
    name: "a row leaves its object to itself",
    rule: "P17",
    edits: [
      edit(
        "provider-call.ts",
        "at < 0 ? inPlace : inPlace.slice(0, at)",
        "at < 0 ? inPlace : inPlace.slice(0, at + 1)",
      ),
    ],
  },
  {
    name: "a replacement goes with the object of a row that goes later",
    rule: "P17 T46",
    edits: [
      edit("provider-call.ts", "at < 0 ? inPlace : inPlace.slice(0, at)", "at < 0 ? inPlace : []"),
    ],
  },
  {
    name: "an expired row hides those behind it from a replacement that goes",
    rule: "P17 P10 T49",
    edits: [
      edit(
        "provider-call.ts",
        "if (inPlace.some(({ id }) => id === former.id)) continue;",
        "if (inPlace.length > 0) continue;",
      ),
    ],
  },
  {
    name: "an expired row hides the replacement from the old row",
    rule: "P17 P10 T50",
    edits: [
      edit(
        "provider-call.ts",
        "if (holder !== undefined || !isCut(row, newer)) return holder ?? null;",
        "if (holder !== undefined || newer.length >= 0) return holder ?? null;",
      ),
    ],
  },
  {
    name: "an object that a policy retains is not given back",
    rule: "P17 T51",
    edits: [
      edit(
        "plan-cleanup.ts",
        'retained === "its object" && !(await isGivenBack(ports, graph, row))',
        'retained === "its object"',
      ),
    ],
  },
  {
    name: "an object that a policy retains goes if nobody takes it back",
    rule: "P17 T51",
    edits: [edit("provider-call.ts", 'if (policy === "Retain") return undefined;', "")],
  },
];

export const LOST_CREATION_MUTANTS: readonly Mutant[] = [
  {
    name: "an update replaces a row whose creation may have made an object",
    rule: "P18 T47",
    edits: [
      edit(
        "decide.ts",
        'if (row.outcomeUnknown) return { kind: "refuse", reason: row.statusReason };\n  if (!situation.isOfType',
        "if (!situation.isOfType",
      ),
    ],
  },
  {
    name: "a cleanup removes a row whose creation may have made an object",
    rule: "P18 T48",
    edits: [
      edit(
        "decide.ts",
        'if (row.outcomeUnknown) return { kind: "refuse", reason: row.statusReason };\n  return act("DELETE")',
        'return act("DELETE")',
      ),
    ],
  },
  {
    name: "nobody is asked about a creation that may have made an object",
    rule: "P18 T47",
    edits: [
      edit(
        "complete.ts",
        "outcomeUnknown: row.outcomeUnknown || becomesUnknown",
        "outcomeUnknown: row.outcomeUnknown",
      ),
    ],
  },
  {
    name: "an imported object has no template, and so no deletion policy",
    rule: "P18 T52",
    edits: [
      edit("complete.ts", "becomesUnknown ? { templateId: operation.templateId } : {}", "{}"),
    ],
  },
  {
    name: "a dead letter takes the reason of a row that waits for an answer",
    rule: "P12 P18",
    edits: [
      edit(
        "convergence/sweep/dead-letter.ts",
        '["pass", "refuse", "missing"]',
        '["pass", "missing"]',
      ),
    ],
  },
];
