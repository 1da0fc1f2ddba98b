/** Checks cron expressions like croniter, the library that Heat uses. */

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  readonly isOfMonth?: true;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FIELDS: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31, isOfMonth: true },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 7, names: DAYS },
  { min: 0, max: 59 },
  { min: 1970, max: 2099 },
];
const FIELDS_MIN = 5;

const ALIASES = ["@midnight", "@hourly", "@daily", "@weekly", "@monthly", "@yearly", "@annually"];

const WRONG_COUNT = "Exactly 5, 6 or 7 columns has to be specified for iterator expression.";

const isNumberIn = (text: string, { min, max, names = [] }: Field): boolean => {
  if (names.includes(text)) return true;
  return /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max;
};

/** croniter accepts 0 as the end of a range, even for days and months. */
const isRange = (range: string, field: Field): boolean => {
  const [first = "", last, ...more] = range.split("-");
  if (more.length > 0 || !isNumberIn(first, field)) return false;
  return last === undefined || last === "0" || isNumberIn(last, field);
};

const isItem = (item: string, field: Field): boolean => {
  const [range = "", step, ...more] = item.split("/");
  if (more.length > 0 || (step !== undefined && !/^0*[1-9]\d{0,3}$/.test(step))) return false;
  if (range === "*") return true;
  if (range === "l") return field.isOfMonth === true && step === undefined;
  const [day = "", count, ...rest] = range.split("#");
  if (count === undefined) return isRange(range, field);
  const isCounted = field.names === DAYS && rest.length === 0 && /^[1-5]$/.test(count);
  return isCounted && isNumberIn(day, field);
};

const isField = (items: string, field: Field | undefined): boolean => {
  if (field === undefined) return false;
  if (items === "?") return field.isOfMonth === true || field.names === DAYS;
  const list = items.split(",");
  const counted = list.filter((item) => item.includes("#"));
  // croniter does not allow a mix of days counted in their month and other days.
  if (counted.length > 0 && counted.length < list.length) return false;
  return list.every((item) => isItem(item, field));
};

export const cronProblem = (text: string): string | null => {
  const expression = text.trim().toLowerCase();
  if (ALIASES.includes(expression)) return null;
  const given = expression.split(/\s+/);
  if (given.length < FIELDS_MIN || given.length > FIELDS.length) return WRONG_COUNT;
  const isRight = given.every((items, at) => isField(items, FIELDS[at]));
  return isRight ? null : `[${text}] is not acceptable, out of range`;
};
