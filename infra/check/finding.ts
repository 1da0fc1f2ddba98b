/** What one look at an account has found, as a line that its operator can act on. */

/** `missing`: a deployment would fail. `unchecked`: the caller may not ask. */
export type Verdict = "ok" | "warn" | "missing" | "unchecked";

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly found: string;
  /** What to do about it. Absent if nothing needs to be done. */
  readonly advice?: string;
}

const VERDICT_WIDTH = "unchecked".length;
const CHECK_WIDTH = "gateway logs".length;

export const findingLine = ({ check, verdict, found, advice }: Finding): string => {
  const start = `${verdict.padEnd(VERDICT_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  ${found}.`;
  return advice === undefined ? start : `${start} ${advice}.`;
};
