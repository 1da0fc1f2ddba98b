/** One JSON line on standard output for each thing done: ids, names and codes, never an input's value or a signed URL. */

export type Log = (
  event: string,
  fields?: Readonly<Record<string, string | number | null>>,
) => void;

export const lineLog: Log = (event, fields = {}) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...fields })}\n`);
};
