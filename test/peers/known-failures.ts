import { readFileSync } from "node:fs";
import * as z from "zod";
import type { TestLine } from "./play-module.ts";

const FILE = new URL("./known-failures.json", import.meta.url);

const Reason = z.strictObject({
  id: z.string().regex(/^[a-z][a-z-]+$/),
  why: z.string().min(1),
  /** These tests would wait for minutes, so they are played only on request. */
  slow: z.literal(true).optional(),
  /**
   * A Heat without a cloud fails these tests too. The proof is this pattern in the text of the
   * module or of the failure.
   */
  heatFailsToo: z
    .union([z.strictObject({ inModule: z.string() }), z.strictObject({ inFailure: z.string() })])
    .optional(),
  tests: z.array(z.string()).min(1),
});
export type Reason = z.infer<typeof Reason>;

export const readReasons = (file: URL = FILE): readonly Reason[] =>
  z.array(Reason).parse(JSON.parse(readFileSync(file, "utf8")));

/** The ids of Tempest's tests end with a number, and tests with scenarios have longer ids. */
const isOf = (id: string, part: string): boolean => id.includes(`.${part}`);

export interface Verdict {
  readonly passed: number;
  readonly skipped: readonly TestLine[];
  readonly known: ReadonlyMap<string, number>;
  readonly sharedWithHeat: number;
  readonly unexplained: readonly TestLine[];
  readonly stale: readonly string[];
}

/** Only a reason that makes a claim about Heat needs a proof. */
const isProved = (
  { heatFailsToo }: Reason,
  { id, text }: TestLine,
  moduleTextOf: (id: string) => string,
): boolean => {
  if (heatFailsToo === undefined) return true;
  return "inModule" in heatFailsToo
    ? new RegExp(heatFailsToo.inModule).test(moduleTextOf(id))
    : new RegExp(heatFailsToo.inFailure).test(text);
};

export const judge = (
  reasons: readonly Reason[],
  tests: readonly TestLine[],
  isWhole: boolean,
  moduleTextOf: (id: string) => string,
): Verdict => {
  const parts = reasons.flatMap((reason) => reason.tests.map((part) => ({ part, reason })));
  const failed = tests.filter(({ outcome }) => outcome === "failed");
  const known = new Map<string, number>();
  const unexplained: TestLine[] = [];
  let sharedWithHeat = 0;
  for (const line of failed) {
    const reason = parts.find(({ part }) => isOf(line.id, part))?.reason;
    if (reason === undefined || !isProved(reason, line, moduleTextOf)) {
      unexplained.push(line);
    } else {
      known.set(reason.id, (known.get(reason.id) ?? 0) + 1);
      if (reason.heatFailsToo !== undefined) sharedWithHeat += 1;
    }
  }
  const isStale = (part: string): boolean =>
    !failed.some(({ id }) => isOf(id, part)) && (isWhole || tests.some(({ id }) => isOf(id, part)));
  return {
    passed: tests.filter(({ outcome }) => outcome === "passed").length,
    skipped: tests.filter(({ outcome }) => outcome === "skipped"),
    known,
    sharedWithHeat,
    unexplained,
    stale: parts.map(({ part }) => part).filter(isStale),
  };
};
