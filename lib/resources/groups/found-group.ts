/** A group as an operation finds it: the record below, and which of its members serve. */

import { membersOf } from "#lib/groups/record.ts";
import type { FoundGroup } from "#lib/groups/resource-group-plan.ts";
import type { Json } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { nestedStackId, type Situation } from "#lib/resources/nested/nested-stack.ts";
import { bestResources, isExtant } from "#lib/stack/best-resource.ts";
import { openReference } from "#lib/stack/reference.ts";

const serves = (row: Resource): boolean =>
  isExtant(row) && row.status === "COMPLETE" && row.action !== "INIT";

/** Null: there is no nested stack, or a user has given it a template of another kind. */
export const foundGroup = async (
  engine: Ports,
  { call, former, isSettled, templateId }: Situation,
): Promise<FoundGroup | null> => {
  const record = former?.group?.record;
  if (record === undefined) return null;
  const stored = await engine.store.listResources(nestedStackId(engine, call.resourceId));
  const rows = bestResources(stored, templateId);
  const references = new Map<string, Json>();
  // While a member is replaced, its old row serves.
  const serving = new Set(stored.filter(serves).map(({ name }) => name));
  for (const { name } of membersOf(record)) {
    const row = rows.get(name);
    if (row === undefined) continue;
    references.set(name, (await openReference(engine, row)).refId);
  }
  return { record, isSettled, serving, references };
};
