/**
 * Chooses which of its rows represents a name (Heat: Stack._get_best_existing_rsrc_db). A healthy
 * original wins over a failed replacement. On a rollback the remaining original wins. A row that is
 * being deleted is the last choice.
 */
import type { Resource } from "#lib/model/resource.ts";

export type Candidate = Pick<
  Resource,
  "id" | "name" | "action" | "status" | "replacedBy" | "templateId" | "updatedAt"
>;

interface Wanted {
  readonly target: string;
  readonly interrupted: string | null;
  /** Ids of rows of older templates that count as the target's (standing-rows.ts). */
  readonly alike: ReadonlySet<string>;
}

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
