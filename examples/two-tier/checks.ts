import picocolors from "picocolors";
import { canonicalJson, type Json } from "#lib/json.ts";

export interface Checks {
  holds(what: string, holds: boolean, detail?: string): void;
  equal(what: string, actual: Json, expected: Json): void;
  leftOut(what: string): void;
  readonly made: number;
  readonly failed: number;
  readonly omitted: number;
}

export const openChecks = (): Checks => {
  const counts = { made: 0, failed: 0, omitted: 0 };
  const holds: Checks["holds"] = (what, isTrue, detail = "") => {
    counts.made += 1;
    if (!isTrue) counts.failed += 1;
    const verdict = isTrue ? picocolors.green("ok    ") : picocolors.red("FAILED");
    console.log(`  ${verdict}  ${what}${isTrue ? "" : indented(detail)}`);
  };
  return {
    holds,
    equal: (what, actual, expected) => {
      const isEqual = canonicalJson(actual) === canonicalJson(expected);
      holds(what, isEqual, `expected ${show(expected)}\nfound    ${show(actual)}`);
    },
    leftOut: (what) => {
      counts.omitted += 1;
      console.log(`  ${picocolors.yellow("skipped")} ${what}`);
    },
    get made() {
      return counts.made;
    },
    get failed() {
      return counts.failed;
    },
    get omitted() {
      return counts.omitted;
    },
  };
};

const show = (value: Json): string => JSON.stringify(value, null, 1);

const indented = (detail: string): string =>
  detail
    .split("\n")
    .map((line) => `\n            ${line}`)
    .join("");
