/** One JSON line on standard output for each thing done: ids, names and codes, never an input's value or a signed URL. */

export type Log = (
  event: string,
  fields?: Readonly<Record<string, string | number | null>>,
) => void;

// Whoever read the log has gone. The runs in hand, and those to come, must not end for that.
process.stdout.on("error", () => undefined);

export const lineLog: Log = (event, fields = {}) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...fields })}\n`);
};
