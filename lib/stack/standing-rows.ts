/**
 * Which row stands for each name of a stack. A row that partial updates (P24) leave out names an
 * older template, although its definition is that of the last good target. If several rows have the
 * name, such a row counts as the target's.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { hasSameContext, type SameDefinition, sameDefinitions } from "./partial/same-definition.ts";
import { rowsNamed } from "./planned-rows.ts";
import { type LoadedTemplate, loadTemplate } from "./record/template-record.ts";

type Rival = Candidate & Pick<Resource, "replaces" | "createdAt">;

type Target = Pick<Stack, "tenant" | "id" | "templateId" | "lastGood">;

const NONE: ReadonlySet<string> = new Set();

/**
 * At rest each name had one row, so only the oldest of several can be from then. A row that
 * replaces another of them is not the oldest, even if their clocks say so.
 */
const oldestOf = (rows: readonly Rival[]): Rival | undefined => {
  const ids = new Set(rows.map(({ id }) => id));
  const first = rows.filter(({ replaces }) => replaces === null || !ids.has(replaces));
  return first.toSorted((one, other) => one.createdAt - other.createdAt)[0];
};

const oldestRivals = (rows: readonly Rival[]): readonly Rival[] => {
  const byName = Map.groupBy(rows.filter(isExtant), ({ name }) => name);
  return [...byName.values()].flatMap((same) => (same.length > 1 ? (oldestOf(same) ?? []) : []));
};

export const rowsLikeTarget = async (
  ports: Ports,
  stack: Target,
  rows: readonly Rival[],
): Promise<ReadonlySet<string>> => {
  const { tenant, id, templateId, lastGood } = stack;
  if (templateId !== lastGood) return NONE;
  const alike = new Set<string>();
  const known = new Map<string, SameDefinition>();
  for (const row of oldestRivals(rows)) {
    const older = row.templateId;
    if (older === null || older === templateId) continue;
    const isSame = known.get(older) ?? (await comparison(ports, tenant, id, older, templateId));
    known.set(older, isSame);
    if (isSame(row.name)) alike.add(row.id);
  }
  return alike;
};

const comparison = async (
  ports: Ports,
  tenant: string,
  stackId: string,
  older: string,
  target: string,
): Promise<SameDefinition> => {
  const load = (templateId: string): Promise<LoadedTemplate> =>
    loadTemplate(ports, tenant, stackId, templateId);
  const [before, after] = [await load(older), await load(target)];
  return hasSameContext(before, after) ? sameDefinitions(before, after) : () => false;
};

export const standingAmong = async <Row extends Rival>(
  ports: Ports,
  stack: Target,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Row>> =>
  bestResources(rows, stack.templateId, null, await rowsLikeTarget(ports, stack, rows));

export const standingRow = async (
  ports: Ports,
  stack: Target,
  name: string,
): Promise<Resource | null> => {
  const named = await rowsNamed(ports, stack.id, name);
  return (await standingAmong(ports, stack, named)).get(name) ?? null;
};

export const standingRows = async (
  ports: Ports,
  stack: Target,
): Promise<ReadonlyMap<string, Resource>> =>
  standingAmong(ports, stack, await ports.store.listResources(stack.id));

type Candidate = Pick<
  Resource,
  "id" | "name" | "action" | "status" | "replacedBy" | "templateId" | "updatedAt"
>;

interface Wanted {
  readonly target: string;
  readonly interrupted: string | null;
  /** Ids of rows of older templates that count as the target's (standing-rows.ts). */
  readonly alike: ReadonlySet<string>;
}

/**
 * Chooses which of its rows represents a name (Heat: Stack._get_best_existing_rsrc_db). A healthy
 * original wins over a failed replacement. On a rollback the remaining original wins. A row that is
 * being deleted is the last choice.
 */
const score = (row: Candidate, { target, interrupted, alike }: Wanted): number =>
  (row.status === "FAILED" ? -30 : 0) +
  (row.action === "DELETE" ? -50 : 0) +
  (row.replacedBy === null ? 0 : -1) +
  (row.templateId === target || alike.has(row.id) ? 10 : 0) +
  (row.templateId !== null && row.templateId === interrupted ? 5 : 0) +
  (row.action === "INIT" ? -0.5 : 0);

export const isExtant = (row: Pick<Resource, "action" | "status">): boolean =>
  !(row.action === "DELETE" && row.status === "COMPLETE");

/** The best extant row for each name. `interrupted` is the template of the former traversal. */
export const bestResources = <Row extends Candidate>(
  rows: readonly Row[],
  target: string,
  interrupted: string | null = null,
  alike: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Row> => {
  const wanted = { target, interrupted, alike };
  const best = new Map<string, Row>();
  for (const row of rows) {
    if (!isExtant(row)) continue;
    const rival = best.get(row.name);
    if (rival === undefined) {
      best.set(row.name, row);
      continue;
    }
    const lead = score(row, wanted) - score(rival, wanted);
    const wins = lead > 0 || (lead === 0 && row.updatedAt > rival.updatedAt);
    if (wins) best.set(row.name, row);
  }
  return best;
};
