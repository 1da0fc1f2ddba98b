import { edit, type Mutant } from "./mutant.ts";

/** A mutant whose rule has this word is hunted with previews. */
export const PREVIEW = "preview";

const foreseen = (name: string, find: string, replace: string, rule = "P3.1"): Mutant => ({
  name,
  rule: `${PREVIEW} ${rule}`,
  edits: [edit("convergence/preview/foresee.ts", find, replace)],
});

export const PREVIEW_MUTANTS: readonly Mutant[] = [
  {
    name: "a preview decides about rows whose operation goes on",
    rule: `${PREVIEW} P3.3`,
    edits: [
      edit(
        "convergence/preview/foresee-row.ts",
        "operation === null) return",
        'row.id !== "") return',
      ),
    ],
  },
  {
    name: "in a preview an unknown value counts as none",
    rule: `${PREVIEW} P3.1`,
    edits: [edit("convergence/preview/foresee.ts", "entries.length === 0", "entries.length >= 0")],
  },
  foreseen(
    "a preview knows the id of a replacement",
    'row.reference === null || decision.kind === "replace"',
    "row.reference === null",
  ),
  foreseen(
    "a preview visits everything",
    "target.templateId ?? NOT_STORED, visited)",
    "target.templateId ?? NOT_STORED, { ...visited, visitsAll: true })",
    "P24",
  ),
  foreseen(
    "a preview does not know the former target",
    "if (stack.running === null) return null;",
    'if (stack.id !== "") return null;',
    "P2",
  ),
  foreseen(
    "a preview forgets the cleanup of what is replaced",
    'update?.row?.id === row.id && update.decision.kind !== "replace"',
    "update?.row?.id === row.id",
  ),
];
