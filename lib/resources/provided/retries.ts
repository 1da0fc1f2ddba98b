/** Why calls come again, by their rows. It is for readers only, so a process may forget it. */

export interface Retries {
  note(resourceId: string, why: string): void;
  forget(resourceId: string): void;
  /** Null: nothing is known. */
  of(resourceId: string): string | null;
}

const ROWS_MAX = 1_000;

export const knownRetries = (): Retries => {
  const known = new Map<string, string>();
  const forget = (resourceId: string): void => void known.delete(resourceId);
  return {
    note: (resourceId, why) => {
      // The map stays in the order of its notes.
      forget(resourceId);
      known.set(resourceId, why);
      const [oldest] = known.keys();
      if (known.size > ROWS_MAX && oldest !== undefined) forget(oldest);
    },
    forget,
    of: (resourceId) => known.get(resourceId) ?? null,
  };
};
