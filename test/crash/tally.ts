import type { Check } from "./checks.ts";

const WRONG_SHOWN_MAX = 10;

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly isGreen: boolean;
  report(checks: readonly Check[]): void;
}

export const openTally = (): Tally => {
  let passed = 0;
  let failed = 0;
  return {
    get passed() {
      return passed;
    },
    get failed() {
      return failed;
    },
    get isGreen() {
      return passed > 0 && failed === 0;
    },
    report: (checks) => {
      for (const { name, wrong } of checks) {
        if (wrong.length === 0) passed += 1;
        else failed += 1;
        console.log(`${wrong.length === 0 ? "ok    " : "FAILED"} ${name}`);
        for (const what of wrong.slice(0, WRONG_SHOWN_MAX)) console.log(`         ${what}`);
        if (wrong.length > WRONG_SHOWN_MAX) console.log(`         … ${wrong.length} in all`);
      }
    },
  };
};
