/** Whether a text is a date and time as the library iso8601 reads it, which Heat asks. */

const DATE =
  /^(?<year>\d{4})(?:(?:-(?<month>\d{1,2})|(?<packedMonth>\d{2})(?!$))(?:(?:-(?<day>\d{1,2})|(?<packedDay>\d{2}))(?:[ T](?<hour>\d{2})(?::?(?<minute>\d{2}))?(?::?(?<second>\d{1,2})(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?(?:\d{2})?)?)?)?)?$/;

export const isIsoDate = (text: string): boolean => {
  const parts = DATE.exec(text)?.groups;
  if (parts === undefined) return false;
  const year = Number(parts["year"]);
  const month = Number(parts["month"] ?? parts["packedMonth"] ?? 1);
  const day = Number(parts["day"] ?? parts["packedDay"] ?? 1);
  const [hour, minute, second] = ["hour", "minute", "second"].map((key) => Number(parts[key] ?? 0));
  // The day before the first of the next month is the last of this one.
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
  return isDay && (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60;
};
