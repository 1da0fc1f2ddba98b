/**
 * Remembers why calls are retried, by row. The texts are only shown to users, so losing them in a
 * restart is harmless.
 */

export interface Retries {
  note(resourceId: string, why: string): void;
  forget(resourceId: string): void;
  of(resourceId: string): string | null;
}

const ROWS_MAX = 1_000;

export const knownRetries = (): Retries => {
  const known = new Map<string, string>();
  const forget = (resourceId: string): void => void known.delete(resourceId);
  return {
    note: (resourceId, why) => {
      // Deleting the entry first keeps the map sorted by age.
      forget(resourceId);
      known.set(resourceId, why);
      const [oldest] = known.keys();
      if (known.size > ROWS_MAX && oldest !== undefined) forget(oldest);
    },
    forget,
    of: (resourceId) => known.get(resourceId) ?? null,
  };
};
