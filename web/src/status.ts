/** What a status means to the eye: one of six tones, and a sign that needs no colour. */

export const TONES = ["good", "busy", "bad", "warn", "quiet", "faint"] as const;
/** `faint`: nothing is done about it. No status has it. */
export type Tone = (typeof TONES)[number];

export const toneOf = (status: string): Tone => {
  if (status.endsWith("_IN_PROGRESS")) return "busy";
  if (status.endsWith("_FAILED")) return "bad";
  if (status === "INIT_COMPLETE") return "quiet";
  if (status.startsWith("ROLLBACK_") || status.startsWith("SUSPEND_")) return "warn";
  if (status.startsWith("DELETE_")) return "quiet";
  return "good";
};

const SIGNS: Readonly<Record<Tone, string>> = {
  good: "\u2713",
  busy: "\u25d0",
  bad: "\u2715",
  quiet: "\u25cb",
  warn: "\u25b2",
  faint: "\u00b7",
};

export const signOfTone = (tone: Tone): string => SIGNS[tone];

export const signOf = (status: string): string => signOfTone(toneOf(status));

/** Of a row, whose action and status are two fields. */
export const statusOf = (row: { readonly action: string; readonly status: string }): string =>
  wordsOf(`${row.action}_${row.status}`);

/** `UPDATE_IN_PROGRESS` as words. A resource is INIT_COMPLETE until its first visit. */
export const wordsOf = (status: string): string =>
  status === "INIT_COMPLETE"
    ? "Not begun"
    : status.charAt(0) + status.slice(1).toLowerCase().replaceAll("_", " ");
