/** The tests of others that fail here, by reason: known-failures.json. */
import { readFileSync } from "node:fs";
import * as z from "zod";
import type { TestLine } from "./play-module.ts";

const FILE = new URL("./known-failures.json", import.meta.url);

const Reason = z.strictObject({
  id: z.string().regex(/^[a-z][a-z-]+$/),
  why: z.string().min(1),
  /** They would wait for minutes, so they are not played unless asked for. */
  slow: z.literal(true).optional(),
  /** Parts of test ids. */
  tests: z.array(z.string()).min(1),
});
export type Reason = z.infer<typeof Reason>;

export const readReasons = (file: URL = FILE): readonly Reason[] =>
  z.array(Reason).parse(JSON.parse(readFileSync(file, "utf8")));

/** Ids of Tempest's tests end with a number of its own, and are longer if they have scenarios. */
const isOf = (id: string, part: string): boolean => id.includes(`.${part}`);

export interface Verdict {
  readonly passed: number;
  readonly skipped: readonly TestLine[];
  /** By the id of the reason. */
  readonly known: ReadonlyMap<string, number>;
  readonly unexplained: readonly TestLine[];
  /** Parts of the file that no failing test has. */
  readonly stale: readonly string[];
}

/** `isWhole`: every test was played. */
export const judge = (
  reasons: readonly Reason[],
  tests: readonly TestLine[],
  isWhole: boolean,
): Verdict => {
  const parts = reasons.flatMap(({ id, tests: of }) => of.map((part) => ({ part, reason: id })));
  const failed = tests.filter(({ outcome }) => outcome === "failed");
  const known = new Map<string, number>();
  const unexplained: TestLine[] = [];
  for (const line of failed) {
    const reason = parts.find(({ part }) => isOf(line.id, part))?.reason;
    if (reason === undefined) unexplained.push(line);
    else known.set(reason, (known.get(reason) ?? 0) + 1);
  }
  const isStale = (part: string): boolean =>
    !failed.some(({ id }) => isOf(id, part)) && (isWhole || tests.some(({ id }) => isOf(id, part)));
  return {
    passed: tests.filter(({ outcome }) => outcome === "passed").length,
    skipped: tests.filter(({ outcome }) => outcome === "skipped"),
    known,
    unexplained,
    stale: parts.map(({ part }) => part).filter(isStale),
  };
};
