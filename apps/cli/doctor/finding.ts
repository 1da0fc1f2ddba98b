/** `unchecked` means that an earlier check failed, so this one was not possible. */
export type FindingVerdict = "ok" | "warning" | "wrong" | "unchecked";

export interface Finding {
  readonly check: string;
  readonly verdict: FindingVerdict;
  readonly found: string;
  readonly advice?: string;
}

export interface Answers {
  ok(found: string): Finding;
  warning(found: string, advice: string): Finding;
  wrong(found: string, advice: string): Finding;
  unchecked(because: string): Finding;
}

export const answersOf = (check: string): Answers => ({
  ok: (found) => ({ check, verdict: "ok", found }),
  warning: (found, advice) => ({ check, verdict: "warning", found, advice }),
  wrong: (found, advice) => ({ check, verdict: "wrong", found, advice }),
  unchecked: (found) => ({ check, verdict: "unchecked", found }),
});

const VERDICT_WIDTH = "unchecked".length;
const CHECK_WIDTH = "authentication".length;

export const findingLine = ({ check, verdict, found, advice }: Finding): string => {
  const start = `${verdict.padEnd(VERDICT_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  ${found}`;
  return advice === undefined ? `${start}.` : `${start}. ${advice}.`;
};
