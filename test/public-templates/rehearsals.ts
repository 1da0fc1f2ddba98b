export interface Rehearsal {
  readonly id: string;
  readonly why: string | null;
}

const COMPLETE_SHARE_MIN = 0.9;
const CAUSE_CHARS_MAX = 120;

/** Names are left out, so that similar failures share a cause. */
const causeOf = (why: string): string =>
  why
    .replace(/<[^>]*>/g, "")
    .replace(/\b(resources|outputs)[.[][^ :]+/gi, "$1.…")
    .replace(/["'][^"']*["']/g, "…")
    .slice(0, CAUSE_CHARS_MAX);

export const reportRehearsals = (rehearsals: readonly Rehearsal[]): boolean => {
  const failed = rehearsals.flatMap(({ id, why }) => (why === null ? [] : [{ id, why }]));
  const byCause = Map.groupBy(failed, ({ why }) => causeOf(why));
  const ranked = [...byCause].toSorted(([, left], [, right]) => right.length - left.length);
  for (const [cause, several] of ranked) {
    console.log(`${String(several.length).padStart(4)}  ${cause}`);
    for (const { id, why } of several) console.log(`        ${id}: ${why}`);
  }
  const complete = rehearsals.length - failed.length;
  const share = rehearsals.length === 0 ? 1 : complete / rehearsals.length;
  console.log(
    `${rehearsals.length} accepted templates with stubs: ${complete} made, changed and deleted ` +
      `(${(100 * share).toFixed(2)} %)`,
  );
  return share >= COMPLETE_SHARE_MIN;
};
