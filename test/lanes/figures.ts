export interface Figures {
  readonly faults: number;
  readonly left: number;
}

export const figuresLine = ({ faults, left }: Figures): string =>
  `faults injected: ${faults}; objects left over: ${left}`;

const LINE = /^faults injected: (\d+); objects left over: (\d+)$/gm;

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
