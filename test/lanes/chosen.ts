/**
 * The part of a lane that `--only` names. A run that plays nothing would prove nothing, so a lane
 * with unknown words ends before it starts anything, with a sentence that lists the names.
 */

const NAMES_SHOWN_MAX = 40;

const listOf = (names: readonly string[]): string => {
  const rest = names.length - NAMES_SHOWN_MAX;
  const shown = [...names.slice(0, NAMES_SHOWN_MAX), ...(rest > 0 ? [`and ${rest} more`] : [])];
  return shown.map((name) => `\n  ${name}`).join("");
};

export const chosenBy = <One>(
  words: string | undefined,
  all: readonly One[],
  nameOf: (one: One) => string,
): readonly One[] => {
  const chosen = all.filter((one) => nameOf(one).includes(words ?? ""));
  if (chosen.length > 0) return chosen;
  const names = listOf(all.map(nameOf));
  throw new Error(`No name contains "${words}", so nothing would be played. The names:${names}`);
};

export const mustName = (word: string | undefined, names: readonly string[]): void => {
  if (word === undefined || names.includes(word)) return;
  throw new Error(`"${word}" is not one of the names:${listOf(names)}`);
};
