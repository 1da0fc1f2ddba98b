import { edit, type Mutant } from "./mutant.ts";

export const PARTIAL_GROUP_MUTANTS: readonly Mutant[] = [
  {
    name: "the definition of a member is not compared",
    rule: "P21 P24 S31",
    edits: [
      edit(
        "stack/partial/same-definition.ts",
        "old.has(name) && old.get(name) === now.get(name)",
        "old.has(name) && now.has(name)",
      ),
    ],
  },
  {
    name: "the definitions of members are compared by their places in the record",
    rule: "P21 P24 S31",
    edits: [
      edit(
        "stack/partial/same-definition.ts",
        "[name, textOf(definition)]",
        "[name, String(record.definitions.indexOf(definition))]",
      ),
    ],
  },
  {
    name: "a new member of a group is like any other",
    rule: "P21 P24 S31",
    edits: [
      edit("stack/partial/visited-names.ts", "if (row === undefined || renewed", "if (renewed"),
      edit(
        "stack/partial/visited-names.ts",
        "return isNews(update, isSame, definition, row);",
        "return row !== undefined && isNews(update, isSame, definition, row);",
      ),
    ],
  },
  {
    name: "what an overtaken update has not reached counts as reached",
    rule: "P21 P24 S31 T84",
    edits: [
      edit("stack/partial/visited-names.ts", "!stack.overtook &&", ""),
      edit(
        "stack/partial/visited-names.ts",
        "former.templateId === stack.lastGood;",
        'former.templateId !== "";',
      ),
    ],
  },
  {
    name: "a removed member counts as left out",
    rule: "P21 P24 S30 S31",
    edits: [
      edit(
        "convergence/graph/convergence-graph.ts",
        "named.has(name) && !visited.has(name)",
        "!visited.has(name)",
      ),
    ],
  },
  {
    name: "rows never give their template records up",
    rule: "P16 P22 P24",
    edits: [
      edit(
        "stack/partial/visited-names.ts",
        "records >= TEMPLATE_RECORDS_NAMED_MAX",
        "records >= 9 * TEMPLATE_RECORDS_NAMED_MAX",
      ),
    ],
  },
  {
    name: "too many template records make an update visit everything",
    rule: "P16 P22 P24",
    edits: [edit("stack/partial/visited-names.ts", "rows.filter(keepsOther).map(", "rows.map(")],
  },
  {
    name: "the barriers of a roll make its second traversal visit everything",
    rule: "P20 P24",
    edits: [
      edit(
        "stack/partial/visited-names.ts",
        "hasBarriers && !isGroupAtOnce(target)",
        "hasBarriers",
      ),
    ],
  },
  {
    name: "what stood between two barriers that are gone is visited",
    rule: "P20 P24",
    edits: [edit("stack/partial/visited-names.ts", "withoutBarriers(before),", "before.template,")],
  },
  {
    name: "a roll visits what its second traversal takes away",
    rule: "P20 P24",
    edits: [
      edit(
        "stack/partial/visited-names.ts",
        "if (row === undefined || renewed",
        "if (row === undefined || target.source.group?.record.batches || renewed",
      ),
    ],
  },
];
