import { edit, type Mutant } from "./mutant.ts";

const asked = (name: string, find: string, replace: string, rule = "P25"): Mutant => ({
  name,
  rule,
  edits: [edit("plan-cleanup.ts", find, replace)],
});

export const DELETES_AT_ONCE_MUTANTS: readonly Mutant[] = [
  asked(
    "a delete waits for what goes on",
    "if (visit.message.isUpdate ||",
    'if (visit.message.stackId !== "" ||',
  ),
  asked(
    "an update ends what goes on",
    "visit.message.isUpdate || RUNS_ON.has(operation.action)",
    "RUNS_ON.has(operation.action)",
    "P25 D5",
  ),
  asked(
    "a delete ends an older delete",
    'new Set(["DELETE", "SNAPSHOT"])',
    'new Set(["SNAPSHOT"])',
  ),
  asked("a delete ends a snapshot", 'new Set(["DELETE", "SNAPSHOT"])', 'new Set(["DELETE"])'),
  asked(
    "a delete ends a creation whose object a policy keeps",
    '?.deletionPolicy === "Delete"',
    '?.deletionPolicy !== "Snapshot"',
  ),
  asked(
    "a delete ends a creation whose object a policy makes a snapshot of",
    '?.deletionPolicy === "Delete"',
    '?.deletionPolicy !== "Retain"',
  ),
  asked(
    "only the policy of the last success is asked for",
    "new Set([row.templateId, operation.templateId])",
    "new Set([row.templateId])",
  ),
  asked(
    "only the policy of the operation is asked for",
    "new Set([row.templateId, operation.templateId])",
    "new Set([operation.templateId])",
  ),
  asked(
    "a delete ends a creation before its pre-delete hook",
    'hooks.has("pre-delete") || ',
    "",
    "P25 ADR 8",
  ),
  asked(
    "a delete ends a creation that has a post-delete hook",
    ' || hooks.has("post-delete")',
    "",
    "P25 ADR 8",
  ),
  asked(
    "a delete ends a creation in the object of another row",
    "(await formerHolder(ports, row)) !== null",
    '(await formerHolder(ports, row))?.id === ""',
    "P25 P17",
  ),
  {
    name: "a provider that refuses a delete meanwhile is asked at once",
    rule: "P25",
    edits: [
      edit(
        "stack/type-predicates.ts",
        "type !== null && type.lifecycle.deleteWaits !== true",
        "type !== null",
      ),
    ],
  },
  {
    name: "a delete ends what a worker is calling",
    rule: "P25 S15",
    edits: [
      edit("act.ts", "if (isHeld(row, now) || operation === null)", "if (operation === null)"),
      edit(
        "claim.ts",
        '[asRead(row), { clause: "noLiveLease", now: ports.clock.now() }],\n    // While',
        "[asRead(row)],\n    // While",
      ),
    ],
  },
  {
    name: "a delete ends what a newer update wants",
    rule: "P25 D5",
    edits: [
      edit(
        "claim.ts",
        '[asRead(row), { clause: "noLiveLease", now: ports.clock.now() }],\n    // While',
        '[{ clause: "noLiveLease", now: ports.clock.now() }],\n    // While',
      ),
    ],
  },
  {
    name: "a delete that waits for a call sleeps on after it",
    rule: "P25",
    edits: [
      edit(
        "act.ts",
        "await sendWaitingVisit(ports, visit, CLEANUP_NODE);",
        "await sendWaitingVisit(ports, visit, []);",
      ),
    ],
  },
  {
    name: "a delete ends what has no handle yet",
    rule: "P25 P17",
    edits: [edit("act.ts", "const isKnown = operation.handle !== null;", "const isKnown = true;")],
  },
  {
    name: "a delete waits for the poll of what it ends",
    rule: "P25",
    edits: [
      edit(
        "act.ts",
        "if (isInterrupted || forDelete || !isPolledLater)",
        "if (isInterrupted || !isPolledLater)",
      ),
    ],
  },
  {
    name: "the id of what is still being made is not stored",
    rule: "P3.4 P12",
    edits: [
      edit(
        "operation.ts",
        "operation: { ...hold.operation, handle },\n    physicalResourceId,\n",
        "operation: { ...hold.operation, handle },\n",
      ),
    ],
  },
];
