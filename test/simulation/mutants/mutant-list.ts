import { edit, type Mutant } from "./mutant.ts";
import { NESTED_MUTANTS } from "./nested-mutants.ts";

export const MUTANTS: readonly Mutant[] = [
  {
    name: "post-hook does not hold",
    rule: "ADR 8",
    edits: [edit("converger.ts", '(await waitAtHook(ports, { ...visit, row }, "after")) ??', "")],
  },
  {
    name: "pause of another traversal counts",
    rule: "ADR 8",
    edits: [edit("hook.ts", "return isOfNode ? pause : null;", "return isOfNode ? pause : pause;")],
  },
  {
    name: "sweeper skips cleared hooks",
    rule: "ADR 8",
    edits: [
      edit("hook.ts", "pauseOf(row, node)?.cleared === false;", "pauseOf(row, node) !== null;"),
    ],
  },
  {
    name: "claim without version as read",
    rule: "P2 P3.2 T11",
    edits: [
      edit(
        "claim.ts",
        "freeFor(ports, visit, row), row === null ? { set, insert",
        "freeFor(ports, visit, row).slice(1), row === null ? { set, insert",
      ),
    ],
  },
  {
    name: "claim without the fence",
    rule: "P3.2",
    edits: [
      edit(
        "claim.ts",
        "freeFor(ports, visit, row), row === null ? { set, insert",
        '[{ clause: "noLiveLease", now }], row === null ? { set, insert',
      ),
    ],
  },
  {
    name: "owner without is_update",
    rule: "P3.2 T13",
    edits: [
      edit(
        "visit.ts",
        "row?.operation?.traversalId === message.traversalId &&\n  row.operation.isUpdate === message.isUpdate",
        "row?.operation?.traversalId === message.traversalId",
      ),
    ],
  },
  {
    name: "stale before operation",
    rule: "P3.0 T7",
    edits: [edit("open-visit.ts", "(isStale(stack, message) && !owns)", "isStale(stack, message)")],
  },
  {
    name: "no publishing step",
    rule: "P2 T6",
    edits: [
      edit("convergence/traversal/prepare.ts", "await publish(ports, stack, planned)", "planned"),
      edit(
        "convergence/traversal/prepare.ts",
        "await sendLeaves(ports, message, leaves, isRepeated, goesOn);",
        "await sendLeaves(ports, message, leaves, isRepeated, goesOn);\n    await publish(ports, stack, published);",
      ),
    ],
  },
  {
    name: "stamping living rows only",
    rule: "P2 T3",
    edits: [
      edit(
        "convergence/traversal/prepare.ts",
        "(node) => !known.has(node.resourceId),",
        '() => known.has(""),',
      ),
    ],
  },
  {
    name: "named replacements not stamped",
    rule: "P2 P9",
    edits: [
      edit(
        "convergence/traversal/prepare.ts",
        "...otherReplacements(ports, stack, rows)]",
        "...otherReplacements(ports, stack, [])]",
      ),
    ],
  },
  {
    name: "no stamping loop",
    rule: "P2 T4",
    edits: [
      edit(
        "convergence/traversal/prepare.ts",
        "await inParallelWhile(stamps(), goesOn);\n",
        "await inParallelWhile(stamps(), goesOn);\n    return plannedRows(ports, stack.id);\n",
      ),
    ],
  },
  {
    name: "tombstones not stamped",
    rule: "P2 T5",
    edits: [
      edit(
        "convergence/traversal/prepare.ts",
        "rows.filter((row) => row.number < stack.traversalNumber)",
        'rows.filter((row) => row.number < stack.traversalNumber && !(row.action === "DELETE" && row.status === "COMPLETE"))',
      ),
    ],
  },
  {
    name: "replaced_by without number",
    rule: "P9 T32",
    edits: [
      edit(
        "replacement.ts",
        "freeFor(ports, visit, old)",
        '[{ clause: "noLiveLease", now: ports.clock.now() }]',
      ),
    ],
  },
  {
    name: "replaces cleared",
    rule: "P5 T27",
    edits: [edit("complete.ts", "replacedBy: null,", "replacedBy: null,\n    replaces: null,")],
  },
  {
    name: "no failed mark",
    rule: "P4 T22",
    edits: [
      edit(
        "complete.ts",
        "return { ...common, failed: { traversalId, isUpdate } };",
        'return traversalId === "" && isUpdate ? {} : common;',
      ),
    ],
  },
  {
    name: "rollback in two writes",
    rule: "P7 T1",
    edits: [
      edit(
        "convergence/traversal/failure.ts",
        "if (rollsBack) await startRollback(ports, stack, reason, also);",
        'if (rollsBack) {\n    await writeRunning(ports, stack, { status: "FAILED", statusReason: reason });\n    await startRollback(ports, stack, reason);\n  }',
      ),
      edit(
        "convergence/traversal/traversal.ts",
        '[{ clause: "inProgress" }, ...also], {',
        "[...also], {",
      ),
    ],
  },
  {
    name: "last_good on cleanup failure",
    rule: "P7 T28",
    edits: [
      edit(
        "convergence/traversal/failure.ts",
        "{ cleanupFailed: shortReason(reason) }",
        "{ cleanupFailed: shortReason(reason), lastGood: stack.templateId }",
      ),
    ],
  },
  {
    name: "replaced row marked done",
    rule: "P9 T23 T33",
    edits: [
      edit(
        "replacement.ts",
        "replacedBy: id,\n        waitUntil: null,",
        "replacedBy: id,\n        waitUntil: null,\n        updateDone: visit.message.traversalId,",
      ),
    ],
  },
  {
    name: "sweeper visits IN_PROGRESS stacks only",
    rule: "P11 T37",
    edits: [
      edit(
        "convergence/sweep/sweep-stack.ts",
        "const polls = await sweepOperations(ports, stack, rows, limits.overdueMsMin);",
        'const polls = stack.status === "IN_PROGRESS" ? await sweepOperations(ports, stack, rows, limits.overdueMsMin) : 0;',
      ),
    ],
  },
  {
    name: "no requires union",
    rule: "P3.2 T14",
    edits: [
      edit(
        "claim.ts",
        "[...new Set([...base.requires, ...request.requires])]",
        "[...request.requires]",
      ),
    ],
  },
  {
    name: "requires := new on failure",
    rule: "P4 T21",
    edits: [
      edit(
        "complete.ts",
        "return { ...common, failed: { traversalId, isUpdate } };",
        "return { ...common, requires: operation.requires, failed: { traversalId, isUpdate } };",
      ),
    ],
  },
  {
    name: "cleanup of rows in service",
    rule: "P3.1 T9",
    edits: [
      edit(
        "decide.ts",
        "const inService = row.updateDone === situation.traversalId;",
        "const inService = row.updateDone !== null;",
      ),
    ],
  },
  {
    name: "operation ended without its call",
    rule: "P3.4 T18",
    edits: [
      edit(
        "operation.ts",
        "return operation.handle === null\n    ? saveHandle(hold, progress, {})\n    : interrupt(hold,",
        "return operation.startedAt < 0\n    ? saveHandle(hold, progress, {})\n    : interrupt(hold,",
      ),
    ],
  },
  {
    name: "waiting delete fails",
    rule: "P3.4 T19",
    edits: [
      edit(
        "operation.ts",
        "const isWaitingDelete = endsUnanswered(type, operation);",
        'const isWaitingDelete = endsUnanswered(type, operation) && row.name === "";',
      ),
    ],
  },
  {
    name: "last_good at (stack, update)",
    rule: "P8 T30",
    edits: [
      edit(
        "convergence/traversal/stack-completion.ts",
        "  if (isUpdate) {",
        "  if (isUpdate) {\n    await writeRunning(ports, stack, { lastGood: stack.templateId });",
      ),
    ],
  },
  {
    name: "timeout in cleanup rolls back",
    rule: "P7 T29",
    edits: [
      edit(
        "convergence/traversal/failure.ts",
        "if (index !== null && convergesRows(stack)",
        'if (index !== null && stack.name === "" && convergesRows(stack)',
      ),
    ],
  },
  {
    name: "CHECK moves last_good",
    rule: "P8 T31",
    edits: [
      edit(
        "convergence/traversal/stack-completion.ts",
        "    default:\n      return {};",
        "    default:\n      return { lastGood: stack.templateId };",
      ),
    ],
  },
  {
    name: "successors sent only on the first arrival",
    rule: "P5 T24",
    edits: [edit("inline.ts", "this.#isRepeated ? [...ready, ...again] : ready", "ready")],
  },
  {
    name: "no provider token",
    rule: "P14",
    edits: [
      edit(
        "provider-call.ts",
        "token: `${row.id}/${operation.action}/${operation.generation}`",
        "token: `${row.id}/${operation.action}/${ports.ids.fresh()}`",
      ),
    ],
  },
  {
    name: "no fencing token",
    rule: "P4",
    edits: [
      edit(
        "complete.ts",
        '[{ clause: "leaseHeldBy", token: row.lease?.token ?? "" }, ...also]',
        "[...also]",
      ),
    ],
  },
  {
    name: "blocked visit dropped",
    rule: "P3.3",
    edits: [
      edit(
        "act.ts",
        'if (won.written) await ports.queue.send("check", [visit.message], delayMs);',
        "if (won.written) return;",
      ),
    ],
  },
  {
    name: "searchable create called again",
    rule: "P14",
    edits: [
      edit(
        "provider-call.ts",
        "if (found !== null) return found;",
        'if (found !== null && found.state === "replace") return found;',
      ),
    ],
  },
  {
    name: "overtaken deployment waits for its agent",
    rule: "P3.4 T20",
    edits: [
      edit(
        "operation.ts",
        "const isOvertaken = mayInterrupt && stack.traversalId !== operation.traversalId",
        "const isOvertaken = mayInterrupt && stack.id === operation.traversalId",
      ),
    ],
  },
  {
    name: "ring rule dropped",
    rule: "P2 D12",
    edits: [
      edit(
        "convergence/graph/convergence-graph.ts",
        "if (!mayClose || !edges.waitsFor(own, replaced)) edges",
        "edges",
      ),
    ],
  },
  {
    name: "failed cleanup does not wait for a good update",
    rule: "P7 T28",
    edits: [
      edit(
        "convergence/traversal/failure.ts",
        "if (stack.cleanupFailed === null || !(await isUpdateGood(ports, index, stack))) return;",
        "if (stack.cleanupFailed === null || index.nodeCount === 0) return;",
      ),
    ],
  },
  ...NESTED_MUTANTS,
];
