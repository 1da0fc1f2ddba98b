/**
 * The part of a lane that `--only` names. A run that plays nothing shows nothing. So a lane ends
 * with a sentence that lists the names if the words name nothing, before it starts anything.
 */

const NAMES_SHOWN_MAX = 40;

const listOf = (names: readonly string[]): string => {
  const rest = names.length - NAMES_SHOWN_MAX;
  const shown = [...names.slice(0, NAMES_SHOWN_MAX), ...(rest > 0 ? [`and ${rest} more`] : [])];
  return shown.map((name) => `\n  ${name}`).join("");
};

/** All of them without words, and otherwise those whose name contains the words. */
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

/** For a lane whose parts are named by a whole word. */
export const mustName = (word: string | undefined, names: readonly string[]): void => {
  if (word === undefined || names.includes(word)) return;
  throw new Error(`"${word}" is not one of the names:${listOf(names)}`);
};
