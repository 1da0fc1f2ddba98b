/**
 * What a lane of a provider has injected and left over. `npm run lane -- providers` adds the lanes
 * up.
 */

export interface Figures {
  /** Requests that were spoilt, and processes that were killed. */
  readonly faults: number;
  /** Objects that Hearth has made and not removed. */
  readonly left: number;
}

export const figuresLine = ({ faults, left }: Figures): string =>
  `faults injected: ${faults}; objects left over: ${left}`;

const LINE = /^faults injected: (\d+); objects left over: (\d+)$/gm;

/** The sum of all such lines. Null: there is none. */
export const figuresIn = (text: string): Figures | null => {
  const lines = [...text.matchAll(LINE)];
  if (lines.length === 0) return null;
  return lines.reduce<Figures>(
    (sum, [, faults, left]) => ({
      faults: sum.faults + Number(faults),
      left: sum.left + Number(left),
    }),
    { faults: 0, left: 0 },
  );
};
