/** Words of commands that a reader copies into a shell. */

const PLAIN = /^[\w./:@%+=,-]+$/;

/** Unchanged where a shell leaves it alone, else in quotes. */
export const shellWord = (text: string): string =>
  PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
