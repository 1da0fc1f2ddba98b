/** A group as an operation finds it: the record below, and which of its members serve. */

import type { FoundGroup } from "#lib/groups/found-group.ts";
import { membersOf } from "#lib/groups/record.ts";
import type { Json } from "#lib/json.ts";
import type { GroupRecord } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Situation } from "#lib/resources/nested/nested-stack.ts";
import { bestResources, isExtant } from "#lib/stack/best-resource.ts";
import { openReference } from "#lib/stack/reference.ts";

const serves = (row: Resource): boolean =>
  isExtant(row) && row.status === "COMPLETE" && row.action !== "INIT";

/** Null: there is no nested stack, or a user has given it a template of another kind. */
export const foundGroup = async (
  engine: Ports,
  { former, isSettled, below }: Situation,
): Promise<FoundGroup | null> => {
  const record = former?.group?.record;
  if (record === undefined || below === null) return null;
  return { record, isSettled, ...(await membersBelow(engine, below, record)) };
};

/** Which members of the record there are, and what others call them. */
export const membersBelow = async (
  engine: Ports,
  { id, templateId }: Pick<Stack, "id" | "templateId">,
  record: GroupRecord,
): Promise<Pick<FoundGroup, "serving" | "failed" | "references">> => {
  const stored = await engine.store.listResources(id);
  const rows = bestResources(stored, templateId);
  const references = new Map<string, Json>();
  // While a member is replaced, its old row serves.
  const serving = new Set(stored.filter(serves).map(({ name }) => name));
  const failed = new Set<string>();
  for (const { name } of membersOf(record)) {
    const row = rows.get(name);
    if (row === undefined) continue;
    if (row.status === "FAILED") failed.add(name);
    references.set(name, (await openReference(engine, row)).refId);
  }
  return { serving, failed, references };
};
