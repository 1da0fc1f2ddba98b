/**
 * P24: a row that updates leave out keeps its older template record stored. Where the rows keep too
 * many, an update visits all rows but those of the record that most of them keep. A visited row
 * takes the new record along. So a year of small updates costs a visit more for each of them.
 */
import { TEMPLATE_RECORDS_CHARS_MAX, TEMPLATE_RECORDS_NAMED_MAX } from "./limits.ts";
import { type PlannedRow, templatesOfRows } from "./planned-rows.ts";
import { charsOfRecord, type LoadedTemplate } from "./template-record.ts";

type Keeper = Pick<PlannedRow, "name" | "templateId" | "textTemplates">;

/** The records of a stack have about one size. */
const isTooMuch = (records: number, { source }: LoadedTemplate): boolean => {
  if (records >= TEMPLATE_RECORDS_NAMED_MAX) return true;
  if (records < 2) return false;
  return records * charsOfRecord(source) > TEMPLATE_RECORDS_CHARS_MAX;
};

/** The record that most rows keep. */
const mostKept = (rows: Iterable<Keeper>): string | null => {
  const counts = new Map<string | null, number>();
  for (const { templateId } of rows) counts.set(templateId, (counts.get(templateId) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? null;
};

/** The names whose rows an update visits only for their records. Most updates have none. */
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
