import { edit, type Mutant } from "../mutants/mutant.ts";

const decide = (name: string, find: string, replace: string): Mutant => ({
  name,
  rule: "P27",
  edits: [edit("decide.ts", find, replace)],
});

const complete = (name: string, find: string, replace: string): Mutant => ({
  name,
  rule: "P27",
  edits: [edit("complete.ts", find, replace)],
});

export const HEALTH_MUTANTS: readonly Mutant[] = [
  decide("what differs is replaced", 'differs: ["mend", "replace"]', 'differs: ["replace"]'),
  decide("what differs is kept", 'differs: ["mend", "replace"]', "differs: []"),
  decide(
    "what is stopped is replaced",
    'stopped: ["start", "mend", "replace"]',
    'stopped: ["replace"]',
  ),
  decide(
    "what is stopped is only updated",
    'stopped: ["start", "mend", "replace"]',
    'stopped: ["mend", "replace"]',
  ),
  decide("what is gone is updated", 'gone: ["mend always", "replace"]', "gone: []"),
  decide(
    "what a user has marked is repaired",
    '"beyond repair": ["mend always", "replace"]',
    '"beyond repair": []',
  ),
  decide(
    "what nobody could look at is replaced",
    'unknown: ["mend", "look", "refuse"]',
    'unknown: ["replace"]',
  ),
  decide(
    "what nobody could look at is taken for good",
    'unknown: ["mend", "look", "refuse"]',
    "unknown: []",
  ),
  decide(
    "what the update itself finds is deleted at once",
    'const isNews = seenBy === traversalId && state !== "gone";',
    "const isNews = false;",
  ),
  decide("a converging update does not look first", 'if (mustLook) return step("CHECK");', ""),
  decide(
    "a failed check is a failed change",
    'const hasFailed = row.status === "FAILED" && row.action !== "CHECK";',
    'const hasFailed = row.status === "FAILED";',
  ),
  decide(
    "a suspend and a resume pass what has failed its check",
    'isUnfit(row) || (!nests && healthOf(row).state === "gone");',
    'isUnfit(row) || (!nests && healthOf(row).state !== "as made");',
  ),
  decide(
    "a suspend passes what differs",
    "return !situation.isChosen || isOutOfReach(row, situation.nests) ? PASS",
    'return !situation.isChosen || isOutOfReach(row, situation.nests) || healthOf(row).state === "differs" ? PASS',
  ),
  complete(
    "a start hides what differs",
    "return isOther ?",
    "if (true) return null; return isOther ?",
  ),
  complete("a start leaves it stopped", "return isOther ?", "return false ?"),
  complete(
    "what was off is taken for good",
    '{ state: "unknown", what: NOT_LOOKED_AT, seenBy: null }',
    "null",
  ),
  complete("the step is the end of the node", "if (isStep) return {};", ""),
  complete("what is off hides what differs", 'action === "CHECK" && !isOff', 'action === "CHECK"'),
  complete(
    "what is gone fails a suspend",
    "if (isFinding) return { ...common, ...markOf(operation) };",
    "",
  ),
  complete("a check keeps no health", "health: findingOf(row, operation, ending),", ""),
  {
    name: "a check of a suspended stack expects that everything runs",
    rule: "P27",
    edits: [edit("provider-call.ts", "stack.suspended &&", "false &&")],
  },
  {
    name: "the end of a step fails its node",
    rule: "P27",
    edits: [
      edit(
        "act.ts",
        'return driven.kind === "ended" && row.operation?.isStep ? stopped("moved") : driven;',
        "return driven;",
      ),
    ],
  },
];
