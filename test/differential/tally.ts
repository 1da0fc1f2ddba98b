import type { Comparison } from "./compare.ts";

interface Counts {
  accepted: number;
  refused: number;
  other: number;
}

export class Tally {
  cases = 0;
  equal = 0;
  different = 0;
  readonly known = new Map<string, number>();
  readonly #subjects = new Map<string, Counts>();

  add(subject: string, found: Comparison): void {
    const counts = this.#subjects.get(subject) ?? { accepted: 0, refused: 0, other: 0 };
    this.#subjects.set(subject, counts);
    this.cases += 1;
    if (found.kind === "equal") {
      this.equal += 1;
      counts[found.accepted ? "accepted" : "refused"] += 1;
      return;
    }
    counts.other += 1;
    if (found.kind === "different") this.different += 1;
    else this.known.set(found.rule.id, (this.known.get(found.rule.id) ?? 0) + 1);
  }

  print(): void {
    for (const [subject, { accepted, refused, other }] of [...this.#subjects].toSorted()) {
      const percent = Math.round((100 * accepted) / (accepted + refused + other));
      console.log(
        `${subject.padEnd(24)} ${String(percent).padStart(3)} % accepted by both: ` +
          `${accepted} accepted, ${refused} refused, ${other} other`,
      );
    }
    for (const [rule, count] of this.known) console.log(`known difference ${rule}: ${count}`);
  }

  summary(): string {
    const known = [...this.known.values()].reduce((sum, count) => sum + count, 0);
    return (
      `${this.cases} cases: ${this.equal} equal, ` +
      `${known} known differences, ${this.different} unexplained`
    );
  }
}
