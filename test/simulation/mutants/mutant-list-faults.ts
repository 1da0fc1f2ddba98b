/**
 * Mutants that show only with slow answers, throttled calls, forgotten tokens, passed weeks or
 * poisoned messages.
 */
import { edit, type Mutant } from "./mutant.ts";

export const FAULT_MUTANTS: readonly Mutant[] = [
  {
    name: "a counted result is ignored at the end",
    rule: "P3.4",
    edits: [
      edit("operation.ts", 'also: [{ clause: "signalsAre", signals: row.signals }],', "also: [],"),
    ],
  },
  {
    name: "forgotten token used again",
    rule: "P14",
    edits: [
      edit(
        "provider-call.ts",
        "return stillKept ? null :",
        'return policy.tokens === "window" || stillKept ? null :',
      ),
    ],
  },
  {
    name: "call after the lease",
    rule: "P3.4 T16",
    edits: [
      edit(
        "operation.ts",
        "if (leaseMsLeft(ports, row) <= type.lifecycle.callMsMax) return giveUp(ports, row);",
        "if (leaseMsLeft(ports, row) < -type.lifecycle.operationMsMax) return giveUp(ports, row);",
      ),
    ],
  },
  {
    name: "throttled call fails its row",
    rule: "P12",
    edits: [
      edit(
        "provider-call.ts",
        "if (error instanceof RetryLater) await releaseLease(ports, hold.row);",
        "",
      ),
      edit(
        "provider-call.ts",
        "if (error instanceof RetryLater || error instanceof Bug) throw error;",
        "if (error instanceof Bug) throw error;",
      ),
    ],
  },
  {
    name: "dead letter fails a done node",
    rule: "P12 T38",
    edits: [
      edit(
        "convergence/sweep/dead-letter.ts",
        'if (isMarkedDone(row, message.traversalId, message.isUpdate)) return "done";',
        'if (row?.name === "" && isMarkedDone(row, message.traversalId, true)) return "done";',
      ),
    ],
  },
  {
    name: "dead letter of a CHECK hides a failed creation",
    rule: "P12 T101",
    edits: [
      edit(
        "convergence/sweep/dead-letter.ts",
        '["pass", "refuse", "missing"]',
        '["pass", "refuse"]',
      ),
    ],
  },
  {
    name: "RESUME of what is not in service",
    rule: "P3.1",
    edits: [
      edit(
        "decide.ts",
        "row === null || isOutOfReach(row, nestsStack(type)) ? PASS : act(stackAction)",
        "row === null ? PASS : act(stackAction)",
      ),
    ],
  },
  {
    name: "a failed change that could be repaired makes another object",
    rule: "P3.1 D9 T86",
    edits: [
      edit(
        "stack/type-predicates.ts",
        'repairable === "changes" ? CHANGES.has(action)',
        'repairable === "changes" ? false',
      ),
    ],
  },
  {
    name: "a failed creation is repaired as a change",
    rule: "P3.1 D9",
    edits: [
      edit(
        "stack/type-predicates.ts",
        'repairable === "changes" ? CHANGES.has(action)',
        'repairable === "changes" ? true',
      ),
    ],
  },
  {
    name: "a repair is asked for as a change",
    rule: "P3.1 D9 T87",
    edits: [
      edit("provider-call.ts", 'operation.before.status === "FAILED"', "operation.generation < 0"),
    ],
  },
  {
    name: "failed create loses its properties",
    rule: "P4",
    edits: [
      edit(
        "complete.ts",
        "row.templateId === null ? operation.properties : row.properties",
        "row.properties",
      ),
    ],
  },
  {
    name: "request accepted on an outdated stack",
    rule: "P1",
    edits: [
      edit(
        "convergence/traversal/traversal.ts",
        '[{ clause: "statusVersionIs", statusVersion: stack.statusVersion }],\n    {\n      ...options',
        "[],\n    {\n      ...options",
      ),
    ],
  },
  {
    name: "tombstones expire at once",
    rule: "P10 T36",
    edits: [
      edit(
        "complete.ts",
        "expiresAt: ports.clock.now() + TOMBSTONE_MS",
        "expiresAt: ports.clock.now() + 1 + 0 * TOMBSTONE_MS",
      ),
    ],
  },
  {
    name: "the purge takes tombstones",
    rule: "P10 T36",
    edits: [
      edit(
        "engine/stacks/retire-stack.ts",
        "await ports.store.expireEvents(id, expiresAt, 0);",
        "await ports.store.expireEvents(id, expiresAt, 0);\n  for (const row of await ports.store.listResources(id)) await ports.store.writeResource(row, [], { set: { expiresAt } });",
      ),
    ],
  },
  {
    name: "the purge takes the fence of a nested stack",
    rule: "P10 P13",
    edits: [
      edit(
        "engine/stacks/retire-stack.ts",
        "Math.max(expiresAt, neededUntil(stack))",
        "expiresAt + 0 * neededUntil(stack)",
      ),
    ],
  },
  {
    name: "a deleted stack counts as settled before it is retired",
    rule: "P11",
    edits: [
      edit(
        "convergence/traversal/stack-completion.ts",
        'stack.action !== "DELETE" && ',
        'stack.action === "DELETE" || ',
      ),
    ],
  },
  {
    name: "the record expires before its documents are gone",
    rule: "P11",
    edits: [
      edit(
        "engine/stacks/retire-stack.ts",
        "const until = Math.max(expiresAt, neededUntil(stack));",
        "const until = Math.max(expiresAt, neededUntil(stack));\n  if (stack.expiresAt === null) await ports.store.writeStack(tenant, id, [], { settled: true, expiresAt: until });",
      ),
    ],
  },
  {
    name: "new rows expire at once",
    rule: "P10 T35",
    edits: [
      edit("claim.ts", "expiresAt: now + TOMBSTONE_MS", "expiresAt: now + 1 + 0 * TOMBSTONE_MS"),
    ],
  },
  {
    name: "claimed row keeps its expiry",
    rule: "P10",
    edits: [edit("claim.ts", "    expiresAt: null,\n  };", "  };")],
  },
  {
    name: "sweeper sends done nodes",
    rule: "P11",
    edits: [
      edit(
        "convergence/sweep/stalled-nodes.ts",
        "return successors.length === 0 ? null : { node, point: null, successors };",
        "return { node, point: pointOfNode(index.graph, graphNode, 0), successors: null };",
      ),
    ],
  },
  {
    name: "an older stamp prevents a replacement",
    rule: "P2 P9",
    edits: [
      edit(
        "replacement.ts",
        '[{ clause: "numberBelow", number: traversalNumber }]',
        '[{ clause: "absent" }]',
      ),
      edit(
        "replacement.ts",
        "const { traversalNumber } = visit.index.graph;\n  const isAbsentOrOlder",
        "const isAbsentOrOlder",
      ),
    ],
  },
];
