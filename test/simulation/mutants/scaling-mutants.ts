import { type Edit, edit, type Mutant } from "./mutant.ts";

const groupsEdit = (file: string, find: string, replace: string): Edit =>
  edit(`resources/groups/${file}`, find, replace);

const ACCEPT = "acceptTraversal(engine, below, {";

export const SCALING_MUTANTS: readonly Mutant[] = [
  {
    name: "a scaling is accepted on the nested stack as it is by then",
    rule: "P22 T67",
    edits: [
      groupsEdit(
        "scale-group.ts",
        ACCEPT,
        ACCEPT.replace("below,", "(await engine.store.getStack(tenant, id)) ?? below,"),
      ),
    ],
  },
  {
    name: "a group is scaled while it is scaled",
    rule: "P22 T68",
    edits: [groupsEdit("scale-group.ts", 'below.status !== "IN_PROGRESS" &&', "")],
  },
  {
    name: "the row of a group does not count",
    rule: "P22 T69",
    edits: [groupsEdit("scale-group.ts", "!isInService(row) ||", "")],
  },
  {
    name: "the row of a group is read before its nested stack",
    rule: "P22 T70",
    edits: [
      groupsEdit(
        "scale-group.ts",
        "  const below = await engine.store.getStack(policy.tenant, nestedStackId(engine, found.id));\n  const row = await engine.store.getResource({ stackId: found.stackId, id: found.id });",
        "  const row = await engine.store.getResource({ stackId: found.stackId, id: found.id });\n  const below = await engine.store.getStack(policy.tenant, nestedStackId(engine, found.id));",
      ),
    ],
  },
  {
    name: "a signal ignores the cooldown",
    rule: "P22 T71",
    edits: [groupsEdit("scale-group.ts", "if (engine.clock.now() < cooldownEnd) return null;", "")],
  },
  {
    name: "a cooldown begins when the scaling begins",
    rule: "P22 T71",
    edits: [
      edit("groups/scaling-plan.ts", "    ...AT_ONCE,", "    ...AT_ONCE,\n    cooldownMs: 0,"),
    ],
  },
  {
    name: "a cooldown is counted from the last end of any action",
    rule: "P22 T71",
    edits: [
      groupsEdit(
        "scaling-group.ts",
        "{ lastGood, templateId, convergedAt }:",
        "{ lastGood, templateId, endedAt: convergedAt }:",
      ),
    ],
  },
  {
    name: "an update ends the cooldown of a scaling",
    rule: "P22 T72",
    edits: [
      groupsEdit(
        "scaling-group.ts",
        "below === null || record === null ? 0 : cooldownEndOf(below, record)",
        "below === null || record === null ? 0 : cooldownEndOf(below, record) * 0",
      ),
    ],
  },
  {
    name: "an action of the parent fails beside a scaling",
    rule: "P23 T73",
    edits: [
      edit(
        "resources/nested/nested-stack.ts",
        "target.nested === null && target.isScaled && isBeingScaled(stack, owner)",
        "target.nested === null && target.isScaled && stack.id === owner.childTraversalId",
      ),
    ],
  },
  {
    name: "an action that waits for a scaling never asks again",
    rule: "P23 T73",
    edits: [
      edit(
        "resources/nested/nested-type.ts",
        "handle === NOT_BEGUN_HANDLE ? operate(call, context)",
        'handle === NOT_BEGUN_HANDLE + "?" ? operate(call, context)',
      ),
    ],
  },
  {
    name: "failed members count",
    rule: "P22 T74",
    edits: [
      edit(
        "groups/found-group.ts",
        "!failed.has(name) && !leaving.has(name)",
        "!leaving.has(name)",
      ),
    ],
  },
  {
    name: "an update takes the size from the definition",
    rule: "P21 P22",
    edits: [
      edit(
        "groups/scaling-plan.ts",
        "clamped(isBack ? open : (desired ?? open), bounds)",
        "clamped(desired ?? bounds.minimum, bounds)",
      ),
    ],
  },
  {
    name: "a signal leaves the bounds",
    rule: "P22 S32",
    edits: [
      edit(
        "groups/capacity.ts",
        "return clamped(current + adjustment, bounds);",
        "return Math.max(current + adjustment, bounds.minimum);",
      ),
    ],
  },
  {
    name: "the youngest members go first",
    rule: "P22 S32",
    edits: [
      edit(
        "groups/scaling-steps.ts",
        "ordered.slice(Math.max(ordered.length - capacity, 0))",
        "ordered.slice(0, capacity)",
      ),
    ],
  },
];
