import { edit, type Mutant } from "./mutant.ts";

const GENERATION = "Math.max(base.generation, ports.life ?? 0) + 1";

const claimed = (name: string, generation: string, rule = "P14 S39 T98"): Mutant => ({
  name,
  rule,
  edits: [edit("claim.ts", GENERATION, generation)],
});

const begun = (name: string, life: string): Mutant => ({
  name,
  rule: "P14 S39 T98",
  edits: [
    edit("ports/life.ts", "Math.max(second, next) * LIVES_A_SECOND + draw(LIVES_A_SECOND)", life),
  ],
});

const IN_LIFE = "Math.max(row.operation.generation, ports.life ?? 0)";

export const RESTORED_MUTANTS: readonly Mutant[] = [
  claimed("a claim knows no life", "base.generation + 1"),
  claimed(
    "the life counts for rows that are new",
    "(row === null ? Math.max(base.generation, ports.life ?? 0) : base.generation) + 1",
  ),
  claimed(
    "the life counts for rows that were there",
    "(row === null ? base.generation : Math.max(base.generation, ports.life ?? 0)) + 1",
  ),
  claimed(
    "the life counts for creations",
    '(request.action === "CREATE" ? Math.max(base.generation, ports.life ?? 0) : base.generation) + 1',
  ),
  claimed(
    "the life counts where nothing was made before",
    "(base.physicalResourceId === null ? Math.max(base.generation, ports.life ?? 0) : base.generation) + 1",
  ),
  claimed("operations of a life are not counted", "(ports.life || base.generation) + 1"),
  begun("a restore begins no life", "Math.min(now, draw(1))"),
  begun("two restores of one backup are one life", "LIVES_A_SECOND + Math.min(now, draw(1))"),
  {
    name: "a restore does not look at the life of its backup",
    rule: "P14 S39 T98",
    edits: [
      edit(
        "ports/life.ts",
        "former === 0 ? second : Math.floor(former / LIVES_A_SECOND) + 1",
        "second",
      ),
    ],
  },
  {
    name: "an operation under way gets the life of who takes it over",
    rule: "P14 T100",
    edits: [
      edit(
        "claim.ts",
        "{ set: { lease, nextPollAt: row.operation?.handle",
        `{ set: { lease, operation: row.operation && { ...row.operation, generation: ${IN_LIFE} }, nextPollAt: row.operation?.handle`,
      ),
    ],
  },
  {
    name: "a token counts no operations",
    rule: "P14 S39",
    edits: [edit("provider-call.ts", "operation.generation}`", "0}`")],
  },
];
