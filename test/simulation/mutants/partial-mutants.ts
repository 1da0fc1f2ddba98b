import { edit, type Mutant } from "./mutant.ts";

export const PARTIAL_MUTANTS: readonly Mutant[] = [
  {
    name: "what is not visited does not let go",
    rule: "P24 S7 T79",
    edits: [edit("converger.ts", 'goes ? await letGo(ports, visit, row) : "let go"', '"let go"')],
  },
  {
    name: "letting go asks for no fence",
    rule: "P24 S9",
    edits: [edit("replacement.ts", "{ index }, holder)", "{ index }, holder).slice(0, 2)")],
  },
  {
    name: "letting go does not ask for the row as read",
    rule: "P24 S17 T80",
    edits: [edit("replacement.ts", "{ index }, holder)", "{ index }, holder).slice(1)")],
  },
  {
    name: "a dead letter does not let go",
    rule: "P12 P24 S7",
    edits: [
      edit(
        "convergence/sweep/dead-letter.ts",
        "if (!isBusy && !(await isLetGo(ports, visit))) return null;",
        "",
      ),
    ],
  },
  {
    name: "what stands between two changes is not visited",
    rule: "P24 S6 T78",
    edits: [
      edit("stack/partial/reach.ts", "[...changed, ...between(ends, after, order)]", "changed"),
    ],
  },
  {
    name: "order to what is removed does not count",
    rule: "P24",
    edits: [
      edit(
        "stack/partial/reach.ts",
        "const ends = [...changed, ...removed];",
        "const ends = changed;",
      ),
    ],
  },
  {
    name: "a row that waits for very many changes is left out",
    rule: "P24 S21",
    edits: [
      edit(
        "stack/partial/reach.ts",
        "if (holders.length === 0) return visited;",
        "return visited;",
      ),
    ],
  },
  {
    name: "those who refer to a change are not visited",
    rule: "P24",
    edits: [
      edit(
        "stack/partial/reach.ts",
        "[...news, ...reachedFrom(news, yield* referrers(after))]",
        "news",
      ),
    ],
  },
  {
    name: "a visit does not read what is left out",
    rule: "P24",
    edits: [edit("plan-update.ts", "[...arrived, ...inputsLeftOut(node)]", "[...arrived]")],
  },
  {
    name: "an update after a CHECK is partial",
    rule: "P24 T76",
    edits: [edit("stack/partial/visited-names.ts", "convergesTo(former.action) &&", "")],
  },
  {
    name: "an update after one that was overtaken is partial",
    rule: "P24 T77",
    edits: [edit("stack/partial/visited-names.ts", "!stack.overtook &&", "")],
  },
  {
    name: "an update beside a marked row is partial",
    rule: "P2 P24",
    edits: [edit("stack/partial/visited-names.ts", 'status === "COMPLETE" && ', "")],
  },
  {
    name: "a row that was left out does not count as the last good target's",
    rule: "P24 T75",
    edits: [edit("stack/standing-rows.ts", "if (isSame(row.name)) alike.add(row.id);", "")],
  },
  {
    name: "nested stacks are left out",
    rule: "P13 P24 S22",
    edits: [edit("stack/type-predicates.ts", "  !nestsStack(type) &&\n", "")],
  },
  {
    name: "resources with hooks are left out",
    rule: "P24",
    edits: [
      edit(
        "stack/partial/visited-names.ts",
        "hasHooks(before, definition.name) || hasHooks(target, definition.name)",
        "hasHooks(before, definition.name) && hasHooks(target, definition.name)",
      ),
    ],
  },
  {
    name: "nobody can ask for a full update",
    rule: "P24",
    edits: [edit("stack/partial/visited-names.ts", "!stack.visitsAll &&", "")],
  },
];
