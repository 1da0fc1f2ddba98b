/** The results of the contract kit, for people. */
import type { CaseResult } from "#provider/kit/check-provider.ts";

const WORDS = { passed: "pass", failed: "FAIL", "not played": "-   " } as const;

/** One line a case. A failed one is followed by its calls. */
export const resultLines = ({ name, verdict, text, calls }: CaseResult): readonly string[] => [
  `${WORDS[verdict]}  ${name}: ${text}`,
  ...(verdict === "failed" ? calls.map((line) => `        ${line}`) : []),
];
