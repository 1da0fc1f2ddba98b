import { hasSameText } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import { convergesTo } from "./stack-actions.ts";
import type { LoadedTemplate, TemplateSource } from "./template-record.ts";

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
