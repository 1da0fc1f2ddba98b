const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const AGO = /\b\d+ s ago\b/g;
const LEFT_OUT = "...";

const linesOf = (text: string): readonly string[] =>
  text === "" ? [] : text.replace(TIME, "TIME").replace(UUID, "ID").replace(AGO, "AGO").split("\n");

const fits = (wanted: readonly string[], seen: readonly string[]): boolean => {
  const [first, ...rest] = wanted;
  if (first === undefined) return seen.length === 0;
  if (first !== LEFT_OUT) return first === seen[0] && fits(rest, seen.slice(1));
  return seen.some((_, at) => fits(rest, seen.slice(at))) || fits(rest, []);
};

/** Times and ids may differ, and `...` stands for lines that the page leaves out. */
export const isAsPrinted = (page: string, printed: string): boolean =>
  fits(linesOf(page), linesOf(printed));
