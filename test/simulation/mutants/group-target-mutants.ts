import { edit, type Mutant } from "./mutant.ts";

export const GROUP_TARGET_MUTANTS: readonly Mutant[] = [
  {
    name: "members with the new definition go before those without it",
    rule: "P21 S34 T90",
    edits: [
      edit(
        "groups/scaling-steps.ts",
        "const removed = this.#outdated.splice(0, count);\n    return [...removed, ...this.#current.splice(0, count - removed.length)];",
        "const removed = this.#current.splice(0, count);\n    return [...removed, ...this.#outdated.splice(0, count - removed.length)];",
      ),
    ],
  },
  {
    name: "a surplus goes for members that change afterwards",
    rule: "P21 S34 T90",
    edits: [
      edit(
        "groups/scaling-steps.ts",
        ": this.#outdated.splice(0, changes);\n    this.add(names);",
        ": this.#outdated.slice(0, changes);",
      ),
    ],
  },
  {
    name: "a member of a scaling group that goes gets what the record says",
    rule: "P21 S35 T91",
    edits: [
      edit("groups/scaling-plan.ts", "made: found.made,", "made: definitionsIn(found.record),"),
      edit(
        "groups/scaling-plan.ts",
        "  existingMembers,\n",
        "  definitionsIn,\n  existingMembers,\n",
      ),
    ],
  },
  {
    name: "a member of a ResourceGroup that goes gets what the record says",
    rule: "P21 S35 T91",
    edits: [
      edit(
        "groups/resource-group-plan.ts",
        "made: found?.made ?? new Map(),",
        "made: found === null ? new Map() : definitionsIn(found.record),",
      ),
      edit(
        "groups/resource-group-plan.ts",
        "  existingMembers,\n",
        "  definitionsIn,\n  existingMembers,\n",
      ),
    ],
  },
  {
    name: "a row is taken to be made from the newest record",
    rule: "P21 S34 S35 T91",
    edits: [
      edit(
        "resources/groups/found-group.ts",
        "(await definitionsOf(row.templateId)).get(row.name)",
        "(await definitionsOf(templateId)).get(row.name)",
      ),
    ],
  },
  {
    name: "failed members do not count for the size that is left open",
    rule: "P21 S37 T92",
    edits: [
      edit(
        "groups/scaling-plan.ts",
        "const known = openSize(found.record, reached);",
        "const known = Math.min(openSize(found.record, reached) ?? 0, healthySize(found));",
      ),
    ],
  },
  {
    name: "a failed update decides the size that is left open",
    rule: "P21 S37 T93",
    edits: [
      edit(
        "groups/found-group.ts",
        "open === undefined || open.reached !== reached ? size : open.size",
        "open === undefined || open.reached !== reached || open.reached === reached ? size : open.size",
      ),
    ],
  },
  {
    name: "a signal does not decide the size that is left open",
    rule: "P21 P22 S37 T92",
    edits: [
      edit(
        "groups/scaling-plan.ts",
        "const open = { size: capacity, reached: found.record.open?.reached ?? null };",
        "const open = found.record.open ?? { size, reached: null };",
      ),
    ],
  },
  {
    name: "a rollback has the size of its template",
    rule: "P21 S37 T93",
    edits: [
      edit(
        "groups/scaling-plan.ts",
        "clamped(isBack ? open : (desired ?? open), bounds)",
        "clamped(desired ?? open, bounds)",
      ),
    ],
  },
  {
    name: "a rollback takes the oldest members away",
    rule: "P21 S37 T93",
    edits: [
      edit(
        "groups/scaling-steps.ts",
        "(isRollback ? alike.toReversed() : alike)",
        "(isRollback && alike.length < 0 ? alike.toReversed() : alike)",
      ),
    ],
  },
  {
    name: "a rollback that rolls takes the oldest members away",
    rule: "P21 S37 T93",
    edits: [
      edit(
        "groups/scaling-steps.ts",
        "const ordered = isRollback ? serving.toReversed() : serving;",
        "const ordered = serving;",
      ),
    ],
  },
  {
    name: "a group that changes shows what its last operation has stored",
    rule: "P22 S38 T94",
    edits: [
      edit(
        "resources/groups/group-attributes.ts",
        'if (row.status !== "COMPLETE" || row.operation !== null || !hasReachedTarget(stack)) return false;',
        "",
      ),
    ],
  },
  {
    name: "a group lists members that do not serve",
    rule: "P22 S38 T94",
    edits: [
      edit(
        "resources/groups/group-attributes.ts",
        "known.filter((name) => serving.has(name))",
        "known",
      ),
    ],
  },
  {
    name: "a mark on a member is no news to the readers of its group",
    rule: "P22 S38",
    edits: [
      edit(
        "engine/resources/mark-unhealthy.ts",
        "if (stack.owner === null || stack.visitsAll) return true;",
        "if (stack.owner === null || stack.owner.depth > 0) return true;",
      ),
    ],
  },
];
