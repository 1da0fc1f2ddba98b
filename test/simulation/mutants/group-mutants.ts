import { type Edit, edit, type Mutant } from "./mutant.ts";

const nestedEdit = (file: string, find: string, replace: string): Edit =>
  edit(`resources/nested/${file}`, find, replace);

export const GROUP_MUTANTS: readonly Mutant[] = [
  {
    name: "the second traversal is accepted on the child as it is by then",
    rule: "P20 T58",
    edits: [
      edit(
        "convergence/traversal/traversal.ts",
        '[{ clause: "traversalIs", traversalId: stack.traversalId }, ...when],\n    change,\n  );\n  if (!write.written) return null;',
        '("owner" in change && change.owner?.step === "second" ? [] : [{ clause: "traversalIs", traversalId: stack.traversalId } as const, ...when]),\n    change,\n  );\n  if (!write.written) return null;',
      ),
    ],
  },
  {
    name: "a group is polled by its handle",
    rule: "P20 T59",
    edits: [
      nestedEdit(
        "nested-result.ts",
        "owner?.generation === generation ? owner.childTraversalId : handle",
        'owner?.generation === generation && handle === "" ? owner.childTraversalId : handle',
      ),
    ],
  },
  {
    name: "a second traversal is not prepared again",
    rule: "P20 T59",
    edits: [nestedEdit("nested-result.ts", "await prepareSecondStep(engine, stack);", "")],
  },
  {
    name: "an interruption between the traversals closes nothing",
    rule: "P20 T60",
    edits: [
      nestedEdit(
        "nested-type.ts",
        "return goesOn ? closeNested(engine, stack, owner) : true;",
        "return goesOn || !goesOn;",
      ),
    ],
  },
  {
    name: "a closed operation goes on",
    rule: "P20 T60",
    edits: [
      nestedEdit(
        "nested-result.ts",
        'owner.step === "closed";',
        'owner.step === "second" && false;',
      ),
      nestedEdit(
        "nested-result.ts",
        "if (owner === null || owner.step !== undefined) return null;",
        'if (owner === null || owner.step === "second") return null;',
      ),
    ],
  },
  {
    name: "a roll ends with its surplus",
    rule: "P20",
    edits: [
      nestedEdit(
        "nested-result.ts",
        "group.record.trim.length === 0",
        "group.record.trim.length >= 0",
      ),
    ],
  },
  {
    name: "members that are not there count as serving",
    rule: "P21 T61",
    edits: [
      edit(
        "groups/found-group.ts",
        "isServing: serving.has(name),",
        "isServing: serving.size >= 0,",
      ),
    ],
  },
  {
    name: "an overtaking roll does not wait for older operations",
    rule: "P21 T62",
    edits: [edit("groups/roll.ts", "overtakes: change.isOvertaking,", "overtakes: false,")],
  },
  {
    name: "a member that is replaced does not serve",
    rule: "P21 T66",
    edits: [
      edit(
        "resources/groups/found-group.ts",
        "standingAmong(engine, below, rows.filter(serves))",
        "standingAmong(engine, below, [...best.values()].filter(serves))",
      ),
    ],
  },
  {
    name: "an overtaking roll takes members away at once",
    rule: "P21 T65",
    edits: [
      edit(
        "groups/roll.ts",
        "const keepsAll = isOvertaking && policy.minInService > 0;",
        "const keepsAll = isOvertaking && policy.minInService < 0;",
      ),
    ],
  },
  {
    name: "the polls of older operations are not due",
    rule: "P21 T62",
    edits: [
      edit(
        "resources/nested/older-operations.ts",
        "{ set: { nextPollAt: engine.clock.now() } }",
        "{ set: {} }",
      ),
    ],
  },
  {
    name: "older operations are not asked for their polls",
    rule: "P21 T62",
    edits: [
      edit(
        "resources/nested/older-operations.ts",
        "await inParallel(older.map((row) => () => pollNow(engine, row)));",
        "",
      ),
    ],
  },
  {
    name: "the record below counts as reached",
    rule: "P21 T63",
    edits: [
      edit(
        "groups/found-group.ts",
        "const present = made.get(name);",
        "const present = made === undefined ? made : definitionsIn(record).get(name);",
      ),
    ],
  },
  {
    name: "a status of COMPLETE means the record below is reached",
    rule: "P21",
    edits: [
      nestedEdit(
        "nested-stack.ts",
        'status === "COMPLETE" && lastGood === templateId',
        'status === "COMPLETE" && lastGood !== templateId + templateId',
      ),
    ],
  },
  {
    name: "an overtaken target is no reason to roll",
    rule: "P21 T63",
    edits: [
      edit(
        "groups/found-group.ts",
        "  !isSettled ||\n  definitions.length === 0 ||",
        "  (definitions.length === 0 && !isSettled) ||",
      ),
    ],
  },
  {
    name: "a left surplus changes at once",
    rule: "P21 T64",
    edits: [edit("groups/roll.ts", "[...roll.batches, ...leftOver(change)]", "[...roll.batches]")],
  },
  {
    name: "the surplus goes before its roll",
    rule: "P21 S29",
    edits: [
      edit(
        "groups/roll.ts",
        "members: roll.members.map(",
        "members: roll.members.filter((name) => !roll.leaving.has(name)).map(",
      ),
    ],
  },
  {
    name: "a roll keeps no member in service",
    rule: "P21 S29",
    edits: [
      edit(
        "groups/batches.ts",
        "const kept = Math.min(minInService, target, capacity);",
        "const kept = Math.min(minInService, 0);",
      ),
    ],
  },
  {
    name: "batches do not wait for each other",
    rule: "P21 S29",
    edits: [
      edit(
        "groups/child-template.ts",
        "for (const waiting of batch) barrierOf.set(waiting, name);",
        "for (const waiting of batch) barrierOf.delete(waiting);",
      ),
    ],
  },
  {
    name: "the skip list of the record below is lost",
    rule: "P21 S30",
    edits: [edit("groups/resource-group-plan.ts", "skip: found.record.skip,", "skip: [],")],
  },
  {
    name: "each update appends to the skip list",
    rule: "P21 S30",
    edits: [
      edit("groups/resource-group-plan.ts", 'mode === "append" ? found.skip : []', "found.skip"),
    ],
  },
  {
    name: "batch_create holds for updates",
    rule: "P21",
    edits: [
      edit(
        "groups/resource-group-plan.ts",
        "const { rollingUpdate: policy, definition } = wanted;",
        "const { definition } = wanted;\n  const policy = wanted.batchCreate ?? wanted.rollingUpdate;",
      ),
    ],
  },
];
