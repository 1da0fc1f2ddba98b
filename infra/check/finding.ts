/** `missing` means that a deployment would fail. `unchecked` means that the caller may not ask. */
export type Verdict = "ok" | "warn" | "missing" | "unchecked";

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly found: string;
  readonly advice?: string;
}

const VERDICT_WIDTH = "unchecked".length;
const CHECK_WIDTH = "gateway logs".length;

export const findingLine = ({ check, verdict, found, advice }: Finding): string => {
  const start = `${verdict.padEnd(VERDICT_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  ${found}.`;
  return advice === undefined ? start : `${start} ${advice}.`;
};
