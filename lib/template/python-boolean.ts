/** The words that oslo's strict bool_from_string() accepts. */
import { pythonStrip } from "#lib/python/spaces.ts";

const TRUE = ["1", "t", "true", "on", "y", "yes"];
const FALSE = ["0", "f", "false", "off", "n", "no"];
const ACCEPTED = [...TRUE, ...FALSE]
  .sort()
  .map((word) => `'${word}'`)
  .join(", ");

export const booleanOf = (text: string): boolean | null => {
  const word = pythonStrip(text).toLowerCase();
  if (TRUE.includes(word)) return true;
  return FALSE.includes(word) ? false : null;
};

export const notABoolean = (text: string): string =>
  `Unrecognized value '${text}', acceptable values are: ${ACCEPTED}`;
