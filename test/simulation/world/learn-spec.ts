import type { MemoryStore } from "#lib/adapters/memory/store.ts";
import type { Stack } from "#lib/model/stack.ts";
import { EMPTY_TEMPLATE_ID } from "#lib/stack/record/template-record.ts";
import type { Spec } from "./spec.ts";

interface Learner {
  readonly store: Pick<MemoryStore, "row">;
  readonly specs: Map<string, Spec>;
}

/** The operation of the owner's row names the template that holds the nested stack's target. */
export const learnSpec = ({ store, specs }: Learner, { owner, templateId }: Stack): void => {
  if (owner === null || templateId === EMPTY_TEMPLATE_ID || specs.has(templateId)) return;
  const above = store.row(owner.stackId, owner.resourceId)?.operation?.templateId ?? "";
  const spec = specs.get(above)?.[owner.resourceName]?.child;
  if (spec !== undefined) specs.set(templateId, spec);
};
