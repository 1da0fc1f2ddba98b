/** Reads a group as an operation finds it: its record, and which of its members are in service. */
import {
  type Definitions,
  definitionsIn,
  type FoundGroup,
  type FoundResourceGroup,
} from "#lib/groups/found-group.ts";
import { membersOf } from "#lib/groups/record.ts";
import type { Json } from "#lib/json.ts";
import type { GroupRecord, GroupSource, MemberDefinition } from "#lib/model/group-record.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openReference } from "#lib/stack/record/reference.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { isExtant, standingAmong } from "#lib/stack/standing-rows.ts";

export interface SituationBelow {
  readonly former: { readonly group?: GroupSource | undefined } | null;
  readonly below: Stack | null;
  readonly isSettled: boolean;
}

/** While a member is being replaced, its old row is in service. */
export const serves = (row: Pick<Resource, "action" | "status">): boolean =>
  isExtant(row) && row.status === "COMPLETE" && row.action !== "INIT" && row.action !== "DELETE";

interface Found {
  readonly group: FoundGroup;
  readonly best: ReadonlyMap<string, Resource>;
}

const found = async (
  engine: Ports,
  { former, isSettled, below }: SituationBelow,
): Promise<Found | null> => {
  const record = former?.group?.record;
  if (record === undefined || below === null) return null;
  const rows = await engine.store.listResources(below.id);
  const best = await standingAmong(engine, below, rows);
  const serving = await standingAmong(engine, below, rows.filter(serves));
  const names = membersOf(record).map(({ name }) => name);
  const group: FoundGroup = {
    record,
    isSettled,
    serving: new Set(serving.keys()),
    failed: new Set(names.filter((name) => best.get(name)?.status === "FAILED")),
    ...(isSettled
      ? { made: definitionsIn(record), good: definitionsIn(record) }
      : await definitionsBelow(engine, below, record, [...serving.values()])),
  };
  return { group, best };
};

/**
 * All rows that were last changed by the same update name the same template record, so each record
 * is loaded once.
 */
const definitionsBelow = async (
  engine: Ports,
  { tenant, id, lastGood, templateId }: Stack,
  record: GroupRecord,
  serving: readonly Resource[],
): Promise<Pick<FoundGroup, "made" | "good">> => {
  const known = new Map<string | null, Definitions>([
    [null, new Map()],
    [templateId, definitionsIn(record)],
  ]);
  const definitionsOf = async (template: string | null): Promise<Definitions> => {
    const read = known.get(template) ?? (await groupIn(engine, { tenant, id }, template ?? ""));
    known.set(template, read);
    return read;
  };
  const made = new Map<string, MemberDefinition>();
  for (const row of serving) {
    const definition = (await definitionsOf(row.templateId)).get(row.name);
    if (definition !== undefined) made.set(row.name, definition);
  }
  return { made, good: await definitionsOf(lastGood) };
};

const groupIn = async (
  engine: Ports,
  { tenant, id }: Pick<Stack, "tenant" | "id">,
  templateId: string,
): Promise<Definitions> => {
  const { group } = (await loadTemplate(engine, tenant, id, templateId)).source;
  return group === undefined ? new Map() : definitionsIn(group.record);
};

/**
 * @returns null when there is no nested stack, or a user has given it a template of another kind.
 */
export const foundGroup = async (
  engine: Ports,
  situation: SituationBelow,
): Promise<FoundGroup | null> => (await found(engine, situation))?.group ?? null;

const referencesIn = async (
  engine: Ports,
  best: ReadonlyMap<string, Resource>,
  record: GroupRecord,
): Promise<ReadonlyMap<string, Json>> => {
  const references = new Map<string, Json>();
  for (const { name } of membersOf(record)) {
    const row = best.get(name);
    if (row !== undefined) references.set(name, (await openReference(engine, row)).refId);
  }
  return references;
};

export const foundResourceGroup = async (
  engine: Ports,
  situation: SituationBelow,
): Promise<FoundResourceGroup | null> => {
  const all = await found(engine, situation);
  if (all === null) return null;
  return { ...all.group, references: await referencesIn(engine, all.best, all.group.record) };
};
