/** How a value is written where a shell or a person reads it. */

/** A time in whole seconds: `2014-01-01T00:00:00Z`. */
export const isoTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const PLAIN = /^[\w./:@%+=,-]+$/;

/** A word of a command: unchanged where a shell leaves it alone, else in quotes. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : quoted(text));
