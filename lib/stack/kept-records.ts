/**
 * A row that a partial update (P24) leaves out keeps its older template record stored. If the rows
 * keep too many records, an update visits all rows but those of the most common record. A visited
 * row then names the new record.
 */
import { TEMPLATE_RECORDS_CHARS_MAX, TEMPLATE_RECORDS_NAMED_MAX } from "./limits.ts";
import { type PlannedRow, templatesOfRows } from "./planned-rows.ts";
import { charsOfRecord, type LoadedTemplate } from "./template-record.ts";

type Keeper = Pick<PlannedRow, "name" | "templateId" | "textTemplates">;

const isTooMuch = (records: number, { source }: LoadedTemplate): boolean => {
  if (records >= TEMPLATE_RECORDS_NAMED_MAX) return true;
  if (records < 2) return false;
  return records * charsOfRecord(source) > TEMPLATE_RECORDS_CHARS_MAX;
};

const mostKept = (rows: Iterable<Keeper>): string | null => {
  const counts = new Map<string | null, number>();
  for (const { templateId } of rows) counts.set(templateId, (counts.get(templateId) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? null;
};

export const namesToRenew = (
  rows: readonly Keeper[],
  before: LoadedTemplate,
): ReadonlySet<string> => {
  if (!isTooMuch(templatesOfRows(rows).size, before)) return new Set();
  const most = mostKept(rows);
  const keepsOther = ({ templateId, textTemplates }: Keeper): boolean =>
    templateId !== most || textTemplates.some((one) => one !== most);
  return new Set(rows.filter(keepsOther).map(({ name }) => name));
};
