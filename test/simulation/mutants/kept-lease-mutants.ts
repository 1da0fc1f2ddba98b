import { edit, type Mutant } from "./mutant.ts";

const kept = (name: string, find: string, replace: string, rule = "P26"): Mutant => ({
  name,
  rule,
  edits: [edit("operation.ts", find, replace)],
});

const asked = (name: string, find: string, rule = "P26"): Mutant => ({
  name,
  rule,
  edits: [edit("stack/type-predicates.ts", find, "")],
});

export const KEPT_LEASE_MUTANTS: readonly Mutant[] = [
  kept("a poll acts under any lease", "lease?.token !== kept.token", "lease === null", "P26 S15"),
  kept(
    "a poll trusts its message without a lease",
    "operation === null || lease?.token !== kept.token",
    "operation === null",
  ),
  kept(
    "a poll forgets the handle",
    "operation: { ...operation, handle } };",
    "operation };",
    "P26 S2",
  ),
  kept(
    "a poll forgets the id",
    "return { ...row, physicalResourceId,",
    "return { ...row,",
    "P26 S1",
  ),
  kept(
    "a lease is kept for any wait",
    "pollAfterMs <= KEPT_WAIT_MS_MAX &&",
    "pollAfterMs > 0 &&",
    "P26 P25",
  ),
  asked("what waits for a signal keeps its lease", "waiting === undefined && ", "P26 P12"),
  asked(
    "a lost creation keeps its lease",
    ' && lifecycle.tokenPolicy.tokens === "kept"',
    "P26 P18",
  ),
  asked("what changes something in its look keeps its lease", "lifecycle.onlyLooks === true && "),
  {
    name: "a second wait keeps the lease again",
    rule: "P26 P3.4",
    edits: [edit("operation.ts", "keeps: !isReclaimed && isFirst", "keeps: isFirst")],
  },
  {
    name: "a lease is given back without the handle",
    rule: "P26 P12",
    edits: [edit("claim.ts", "        operation: row.operation,\n", "")],
  },
  {
    name: "a lease is given back without the id",
    rule: "P26 P12",
    edits: [edit("claim.ts", "        physicalResourceId: row.physicalResourceId,\n", "")],
  },
  {
    name: "a poll waits for the lease that it holds",
    rule: "P26",
    edits: [edit("act.ts", "if (held !== null) {", "if (held !== null && !isHeld(row, now)) {")],
  },
];
