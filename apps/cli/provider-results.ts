import type { CaseResult } from "#provider/kit/check-provider.ts";

const WORDS = { passed: "pass", failed: "FAIL", "not played": "-   " } as const;

export const resultLines = ({ name, verdict, text, calls }: CaseResult): readonly string[] => [
  `${WORDS[verdict]}  ${name}: ${text}`,
  ...(verdict === "failed" ? calls.map((line) => `        ${line}`) : []),
];
