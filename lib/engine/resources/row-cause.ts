/** Why a resource is not done: a pure function of its row and of what its server reports. */
import type { Resource } from "#lib/model/resource.ts";
import type { Verdict } from "#lib/software-config/diagnosis/facts.ts";
import { span } from "#lib/software-config/diagnosis/wording.ts";
import { shellWord } from "#lib/texts.ts";
import { type ResourceView, turnText } from "./resource-view.ts";

export type CauseKind =
  | "unknown_outcome"
  | "hook"
  | "failed"
  | "deployment"
  | "nested"
  | "provider"
  | "requirements";

export interface RowCause extends Omit<Verdict, "cause"> {
  readonly kind: CauseKind;
  readonly nextPollAt: number | null;
}

export interface CauseFacts {
  readonly view: ResourceView;
  readonly verdict: Verdict | null;
  readonly waitsFor: string | null;
  readonly missing: readonly string[];
}

const NAMES_MAX = 5;

const listOf = (names: readonly string[]): string =>
  names.length > NAMES_MAX
    ? `${names.slice(0, NAMES_MAX).join(", ")} and ${names.length - NAMES_MAX} more`
    : names.join(", ");

/** A nested stack's name is long, and its id finds it as well. */
const stackArgument = ({ stack }: ResourceView): string =>
  stack.owner === null ? stack.name : stack.id;

const cause = (kind: CauseKind, summary: string, advice: readonly string[] = []): RowCause => ({
  kind,
  stage: null,
  certain: true,
  summary,
  advice,
  nextPollAt: null,
});

export const isUnfinished = ({ row, stack, isFormer }: ResourceView): boolean => {
  if (row === null || row.action === "INIT") {
    return isFormer !== true && stack.status === "IN_PROGRESS";
  }
  const waitsAtHook = row.pause !== null && !row.pause.cleared;
  if (row.outcomeUnknown || waitsAtHook) return true;
  // A failure of a replaced row no longer matters, unless its removal fails too.
  const isReplaced = row.action !== "DELETE" && row.replacedBy !== null;
  const isOver = isFormer === true && row.status === "FAILED" && isReplaced;
  return row.status !== "COMPLETE" && !isOver;
};

const whichOf = (row: Resource): string =>
  row.action === "DELETE" || row.replacedBy !== null
    ? "the former one, which is to be removed"
    : "the one that should replace it";

export const causeOf = (facts: CauseFacts, now: number): RowCause => {
  const found = causeOfRow(facts, now);
  const { isFormer, row } = facts.view;
  return isFormer === true && row !== null
    ? { ...found, summary: `${whichOf(row)}: ${found.summary}` }
    : found;
};

const causeOfRow = (facts: CauseFacts, now: number): RowCause => {
  const { view, verdict } = facts;
  const { row, name } = view;
  if (row?.pause && !row.pause.cleared) {
    const { hook } = row.pause;
    const clear = `let it go on: \`hearth stack hook clear ${stackArgument(view)} ${shellWord(name)} ${hook}\``;
    return cause("hook", `it waits at the hook ${hook} until a user clears it`, [clear]);
  }
  if (row?.outcomeUnknown) {
    const resolve = `say what is so: \`hearth stack resource resolve ${stackArgument(view)} ${shellWord(name)}\``;
    return cause("unknown_outcome", row.statusReason, [resolve]);
  }
  if (row === null || row.action === "INIT") return notBegun(facts, now);
  if (row.status === "FAILED") return cause("failed", row.statusReason, verdict?.advice ?? []);
  const nextPollAt = row.nextPollAt;
  if (verdict !== null) {
    const { stage, certain, summary, advice } = verdict;
    return { kind: "deployment", stage, certain, summary, advice, nextPollAt };
  }
  if (view.nested !== null) {
    return { ...cause("nested", "it waits for the resources of its stack"), nextPollAt };
  }
  return { ...cause("provider", providerWait(facts, now)), nextPollAt };
};

const notBegun = ({ view: { turn }, missing }: CauseFacts, now: number): RowCause => {
  if (missing.length > 0) return cause("requirements", `it waits for ${listOf(missing)}`);
  return cause(
    "requirements",
    turn === undefined
      ? "its dependencies are ready, and it starts next"
      : turnText(turn, listOf(turn.working), now),
  );
};

const providerWait = ({ view: { row }, waitsFor }: CauseFacts, now: number): string => {
  const operation = row?.operation ?? null;
  if (operation === null) return "its operation is about to begin or to end";
  const time = span(now - operation.startedAt);
  if (operation.handle === null && waitsFor === null) {
    return `the call to its provider has been under way for ${time}`;
  }
  const said = waitsFor ?? "its provider has not finished";
  const at = row?.nextPollAt ?? null;
  const next = at === null ? "" : `, asked again in ${span(at - now)}`;
  return `${said}; ${operation.action} since ${time}${next}`;
};
