/** Times on the wire: `2014-01-01T00:00:00Z`, whole seconds. */
export const isoTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const isoTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : isoTime(ms);
