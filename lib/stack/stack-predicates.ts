/** The questions that the engine asks of a stack's record. */
import { hasSameText } from "#lib/json.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { LoadedTemplate, TemplateSource } from "./record/template-record.ts";

const CONVERGING: ReadonlySet<StackAction> = new Set([
  "CREATE",
  "ADOPT",
  "UPDATE",
  "RESTORE",
  "ROLLBACK",
]);

/** The traversal creates, updates, replaces and removes rows until the stack matches its target. */
export const convergesTo = (action: StackAction): boolean => CONVERGING.has(action);

export const canRollBack = (action: StackAction): boolean =>
  convergesTo(action) && action !== "ROLLBACK";

/** P3.0: no traversal runs, or another one than the message's. */
export const isStale = (stack: Stack, message: { readonly traversalId: string }): boolean =>
  stack.traversalId !== message.traversalId || stack.status !== "IN_PROGRESS";

/** P2: the stack has already reached `source`, so its present record can be the target again. */
export const isTargetReached = (
  stack: Stack,
  current: LoadedTemplate,
  source: TemplateSource,
): boolean =>
  stack.status === "COMPLETE" &&
  convergesTo(stack.action) &&
  stack.lastGood === current.id &&
  isSameSource(current.source, source);

const isSameSource = (
  { template, files, ...rest }: TemplateSource,
  { template: otherTemplate, files: otherFiles, ...otherRest }: TemplateSource,
): boolean =>
  hasSameText(template, otherTemplate) &&
  hasSameText(files, otherFiles) &&
  JSON.stringify(rest) === JSON.stringify(otherRest);
