/** Mutants of the nets. Directed cases show them, and random runs rarely meet them. */
import { edit, type Mutant } from "./mutant.ts";

const GIVE_UP =
  'await releaseLease(ports, hold.row);\n    if (error instanceof RetryLater) await ports.queue.send("poll", [{ type: "check_resource", tenant: hold.row.tenant, stackId: hold.row.stackId, resourceId: hold.row.id, traversalId: operation.traversalId, isUpdate: operation.isUpdate }]);';

export const NET_MUTANTS: readonly Mutant[] = [
  {
    name: "rows that lie apart are not announced",
    rule: "P2",
    edits: [
      edit("convergence/traversal/prepare.ts", "await announceSpreadRows(ports, graph);", ""),
    ],
  },
  {
    name: "every visit waits for a busy row",
    rule: "P3.3 T15",
    edits: [edit("act.ts", "if (won.written) await", "if (won.row !== null) await")],
  },
  {
    name: "SUSPEND of rows that are not chosen",
    rule: "P3.1 T10",
    edits: [edit("decide.ts", "!situation.isChosen || isOutOfReach(", "isOutOfReach(")],
  },
  {
    name: "SUSPEND of what is not in service",
    rule: "P3.1",
    edits: [edit("decide.ts", "isUnfit(row) || (!nests && healthOf", "(!nests && healthOf")],
  },
  {
    name: "CHECK of what is not in service",
    rule: "P3.1",
    edits: [
      edit(
        "decide.ts",
        'row === null || isUnfit(row) ? { kind: "missing" }',
        'row === null ? { kind: "missing" }',
      ),
    ],
  },
  {
    name: "an overtaken snapshot is stored",
    rule: "P8",
    edits: [
      edit("stack/stack-document.ts", "if (now === null || isStale(now, stack)) return;", ""),
    ],
  },
  {
    name: "rollback to nothing deletes adopted objects",
    rule: "P7",
    edits: [
      edit(
        "plan-cleanup.ts",
        "if (isAbandoned || wasThereBefore(graph, row, loaded, nests)) {",
        "if (isAbandoned) {",
      ),
    ],
  },
  {
    name: '"not yet" without the signal count',
    rule: "P3.4 T17",
    edits: [edit("operation.ts", '{ clause: "signalsAre", signals: row.signals },\n', "")],
  },
  {
    name: "signal does not wake the poll",
    rule: "P12 T39",
    edits: [edit("signal-resource.ts", "...event, nextPollAt: now", "...event")],
  },
  {
    name: "suspended judged by the action",
    rule: "P1 T2",
    edits: [
      edit(
        "convergence/traversal/traversal.ts",
        "return stack.suspended ? ",
        'return stack.action === "SUSPEND" ? ',
      ),
    ],
  },
  {
    name: "re-claim begins another operation",
    rule: "P3.2",
    edits: [
      edit(
        "claim.ts",
        "{ set: { lease, nextPollAt",
        "{ set: { lease, generation: row.generation + 1, operation: { ...row.operation, generation: row.generation + 1 }, nextPollAt",
      ),
    ],
  },
  {
    name: "sweeper overlooks the stack's own point",
    rule: "P11 T24",
    edits: [
      edit(
        "convergence/sweep/stalled-nodes.ts",
        "if (await isReady(points, end))",
        'if (stack.name === "" && (await isReady(points, end)))',
      ),
    ],
  },
  {
    name: "update part without nodes is never good",
    rule: "P8",
    edits: [
      edit(
        "convergence/traversal/readiness.ts",
        "index.hasCleanup && (await isReady",
        "index.hasCleanup && index.updateRootCount > 0 && (await isReady",
      ),
    ],
  },
  {
    name: "object of a refused handle is forgotten",
    rule: "P3.4",
    edits: [
      edit(
        "operation.ts",
        "row: { ...found, physicalResourceId, operation: { ...found.operation, handle } },",
        "row: { ...found, operation: { ...found.operation, handle } },",
      ),
    ],
  },
  {
    name: "requires := new on CHECK",
    rule: "P4",
    edits: [
      edit(
        "complete.ts",
        "return { ...common, ...mark, physicalResourceId, reference, checkFailed: false, health };",
        "return { ...common, ...mark, physicalResourceId, reference, checkFailed: false, health, requires: operation.requires };",
      ),
      edit(
        "plan-update.ts",
        "requiresOf(row, type, converges ? inputs : null)",
        "requiresOf(row, type, inputs)",
      ),
    ],
  },
  {
    name: "an overtaken end continues",
    rule: "P4",
    edits: [edit("act.ts", "if (isOvertaken) {", 'if (isOvertaken && visit.node.name === "") {')],
  },
  {
    name: "gap in service",
    rule: "P2 D4",
    edits: [
      edit(
        "convergence/graph/convergence-graph.ts",
        "if (chosen.get(row.name) === row.id || mayExist) wait",
        "if (chosen.get(row.name) === row.id) wait",
      ),
    ],
  },
  {
    name: "unchanged row without lock and fence",
    rule: "P3.1 S17",
    edits: [
      edit(
        "claim.ts",
        "freeFor(ports, visit, row), row === null ? { set: fenced",
        "[], row === null ? { set: fenced",
      ),
    ],
  },
  {
    name: "a second visit sends on, too",
    rule: "P5 S21",
    edits: [
      edit("inline.ts", "this.#isRepeated ? [...ready, ...again] : ready", "[...ready, ...again]"),
    ],
  },
  {
    name: "repeated message does not walk on",
    rule: "P6",
    edits: [edit("inline.ts", "if (this.#isRepeated) this.#walkThrough(done);", "")],
  },
  {
    name: "throttled visit is sent beside its message",
    rule: "P12",
    edits: [edit("provider-call.ts", "await releaseLease(ports, hold.row);", GIVE_UP)],
  },
  {
    name: "throttled visit keeps its lease",
    rule: "P12",
    edits: [
      edit(
        "provider-call.ts",
        "if (error instanceof RetryLater) await releaseLease(ports, hold.row);",
        "",
      ),
    ],
  },
  {
    name: "deadline written on an outdated stack",
    rule: "P7",
    edits: [
      edit(
        "convergence/traversal/failure.ts",
        "await failStack(ports, stack, reason, asRead);",
        "await failStack(ports, stack, reason);",
      ),
    ],
  },
  {
    name: "settled written on an outdated stack",
    rule: "P11",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        '[{ clause: "statusVersionIs", statusVersion }], ',
        "[], ",
      ),
    ],
  },
];
