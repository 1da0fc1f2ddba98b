import * as z from "zod";

export const TONES = ["good", "busy", "bad", "warn", "quiet", "faint"] as const;
/** `faint` marks a resource that an update does not visit. No status has this tone. */
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

export const statusOf = (row: { readonly action: string; readonly status: string }): string =>
  wordsOf(`${row.action}_${row.status}`);

export const Progress = z.object({
  total: z.number(),
  done: z.number(),
  running: z.number(),
  failed: z.number(),
});

export type Progress = z.infer<typeof Progress>;

export const progressText = ({ total, done, running, failed }: Progress): string =>
  [
    `${done} of ${total} done`,
    ...(running > 0 ? [`${running} running`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(", ");

/** A resource is INIT_COMPLETE until its first visit. */
export const wordsOf = (status: string): string =>
  status === "INIT_COMPLETE"
    ? "Not begun"
    : status.charAt(0) + status.slice(1).toLowerCase().replaceAll("_", " ");
