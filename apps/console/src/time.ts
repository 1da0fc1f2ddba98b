const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

/** A time without a zone is UTC, as in Heat. The result may be NaN. */
export const timeOf = (iso: string): number =>
  Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`);

export const dateText = (iso: string, locale?: string, timeZone?: string): string => {
  const at = timeOf(iso);
  if (Number.isNaN(at)) return iso;
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "medium",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);
};

/** All shown times have passed. One that has not is of a server whose clock is ahead. */
export const agoText = (iso: string, now: number, locale?: string): string => {
  const at = timeOf(iso);
  if (Number.isNaN(at)) return iso;
  const passed = Math.min(0, at - now);
  const [unit, size] = UNITS.find(([, ms]) => Math.abs(passed) >= ms) ?? ["second", 1_000];
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return format.format(Math.trunc(passed / size), unit);
};
