/** One JSON line per event. Never log an input's value or a signed URL. */

export type Log = (
  event: string,
  fields?: Readonly<Record<string, string | number | null>>,
) => void;

// A closed log must not end the agent or its runs.
process.stdout.on("error", () => undefined);

export const lineLog: Log = (event, fields = {}) => {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...fields })}\n`);
};
