/** Dates and times as the library iso8601 reads them, which Heat asks. */

const DATE =
  /^(?<year>\d{4})(?:(?:-(?<month>\d{1,2})|(?<packedMonth>\d{2})(?!$))(?:(?:-(?<day>\d{1,2})|(?<packedDay>\d{2}))(?:[ T](?<hour>\d{2})(?::?(?<minute>\d{2}))?(?::?(?<second>\d{1,2})(?:[.,](?<fraction>\d+))?)?(?:Z|(?<sign>[+-])(?<zoneHour>\d{2}):?(?<zoneMinute>\d{2})?)?)?)?)?$/;
const MINUTE_MS = 60_000;
/** JavaScript reads earlier years as those of the 20th century. */
const FULL_YEAR_MIN = 100;

type Parts = Readonly<Record<string, string | undefined>>;

const offsetMs = ({ sign, zoneHour = "0", zoneMinute = "0" }: Parts): number => {
  const minutes = Number(zoneHour) * 60 + Number(zoneMinute);
  return (sign === "-" ? -minutes : minutes) * MINUTE_MS;
};

/** Milliseconds since 1970; null: the text is no date. Without a zone it is UTC. */
export const isoDateMs = (text: string): number | null => {
  const parts: Parts | undefined = DATE.exec(text)?.groups;
  if (parts === undefined) return null;
  const year = Number(parts["year"]);
  const month = Number(parts["month"] ?? parts["packedMonth"] ?? 1);
  const day = Number(parts["day"] ?? parts["packedDay"] ?? 1);
  const [hour = 0, minute = 0, second = 0] = ["hour", "minute", "second"].map((key) =>
    Number(parts[key] ?? 0),
  );
  // The day before the first of the next month is the last of this one.
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
  if (!isDay || hour >= 24 || minute >= 60 || second >= 60) return null;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  if (year < FULL_YEAR_MIN) date.setUTCFullYear(year);
  const fractionMs = Math.floor(Number(`0.${parts["fraction"] ?? "0"}`) * 1_000);
  return date.getTime() + fractionMs - offsetMs(parts);
};

export const isIsoDate = (text: string): boolean => isoDateMs(text) !== null;
