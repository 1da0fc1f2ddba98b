/** A group as an operation finds it: the record below, and which of its members serve. */

import type { FoundGroup, FoundResourceGroup } from "#lib/groups/found-group.ts";
import { membersOf } from "#lib/groups/record.ts";
import type { Json } from "#lib/json.ts";
import type { GroupRecord, GroupSource } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { openReference } from "#lib/stack/reference.ts";
import { standingAmong } from "#lib/stack/standing-rows.ts";

type Below = Pick<Stack, "tenant" | "id" | "templateId" | "lastGood">;

/** An operation knows the whole former target, and a preview the group in it. */
export interface SituationBelow {
  readonly former: { readonly group?: GroupSource | undefined } | null;
  readonly below: Stack | null;
  readonly isSettled: boolean;
}

interface Rows {
  readonly stored: readonly Resource[];
  readonly best: ReadonlyMap<string, Resource>;
}

const rowsOf = async (engine: Ports, below: Below): Promise<Rows> => {
  const stored = await engine.store.listResources(below.id);
  return { stored, best: await standingAmong(engine, below, stored) };
};

const serves = (row: Resource): boolean =>
  isExtant(row) && row.status === "COMPLETE" && row.action !== "INIT";

type Members = Pick<FoundGroup, "serving" | "failed">;

/** While a member is replaced, its old row serves. */
const membersIn = ({ stored, best }: Rows, record: GroupRecord): Members => {
  const names = membersOf(record).map(({ name }) => name);
  return {
    serving: new Set(stored.filter(serves).map(({ name }) => name)),
    failed: new Set(names.filter((name) => best.get(name)?.status === "FAILED")),
  };
};

/** Which members of the record there are. Their references stay sealed. */
export const membersBelow = async (
  engine: Ports,
  below: Below,
  record: GroupRecord,
): Promise<Members> => membersIn(await rowsOf(engine, below), record);

/** Null: there is no nested stack, or a user has given it a template of another kind. */
export const foundGroup = async (
  engine: Ports,
  { former, isSettled, below }: SituationBelow,
): Promise<FoundGroup | null> => {
  const record = former?.group?.record;
  if (record === undefined || below === null) return null;
  return { record, isSettled, ...(await membersBelow(engine, below, record)) };
};

const referencesIn = async (
  engine: Ports,
  { best }: Rows,
  record: GroupRecord,
): Promise<ReadonlyMap<string, Json>> => {
  const references = new Map<string, Json>();
  for (const { name } of membersOf(record)) {
    const row = best.get(name);
    if (row !== undefined) references.set(name, (await openReference(engine, row)).refId);
  }
  return references;
};

/** As foundGroup, with the references by which removal policies name members. */
export const foundResourceGroup = async (
  engine: Ports,
  { former, isSettled, below }: SituationBelow,
): Promise<FoundResourceGroup | null> => {
  const record = former?.group?.record;
  if (record === undefined || below === null) return null;
  const rows = await rowsOf(engine, below);
  const references = await referencesIn(engine, rows, record);
  return { record, isSettled, ...membersIn(rows, record), references };
};
