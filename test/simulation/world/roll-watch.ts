/**
 * S29: in a rolling change no more members are at work than a batch has, and as many are in service
 * as the policy wants. Each roll has its own limits. The limits of an overtaken roll hold until the
 * next roll begins with its first member.
 */
import type { Resource } from "#lib/model/resource.ts";
import { Violation } from "./violation.ts";

export interface RollLimits {
  readonly traversalId: string;
  readonly floor: number;
  readonly batch: number;
  readonly serving: readonly string[];
  /**
   * The names of the members by which a scaling group grows. They are made all at once after the
   * last batch, as in Heat, where a resize follows the roll.
   */
  readonly grown: readonly string[];
}

export interface RollMemory {
  readonly limits: RollLimits;
  readonly next: RollLimits | null;
}

/** An overtaken change that is no roll sets no limits. */
const NONE: RollLimits = {
  traversalId: "",
  floor: 0,
  batch: Number.MAX_SAFE_INTEGER,
  serving: [],
  grown: [],
};

export const serves = ({ action, status }: Resource): boolean =>
  status === "COMPLETE" && action !== "DELETE" && action !== "INIT";

/** A dead letter claims a member without time for a call, only to fail it. */
const isGivenUp = ({ operation }: Resource): boolean =>
  operation !== null && operation.deadline <= operation.startedAt;

const isAtWork = (row: Resource): boolean =>
  (row.operation?.action === "CREATE" || row.operation?.action === "UPDATE") && !isGivenUp(row);

const namesOf = (rows: readonly Resource[]): ReadonlySet<string> =>
  new Set(rows.map(({ name }) => name));

const lowered = (limits: RollLimits): RollLimits => ({ ...limits, floor: limits.floor - 1 });

export class RollWatch {
  #limits: RollLimits;
  #next: RollLimits | null = null;

  /** `former` is what the roll overtakes, or null when nothing was under way. */
  constructor(limits: RollLimits, former: RollWatch | "no roll" | null) {
    if (former === null) {
      this.#limits = limits;
      return;
    }
    const { floor, batch, grown } = former === "no roll" ? NONE : former.#limits;
    this.#limits = {
      ...limits,
      grown: [...new Set([...grown, ...limits.grown])].toSorted(),
      floor: Math.min(floor, limits.floor),
      batch: Math.max(batch, limits.batch),
    };
    this.#next = limits;
  }

  static of({ limits, next }: RollMemory): RollWatch {
    const watch = new RollWatch(limits, null);
    watch.#next = next;
    return watch;
  }

  get memory(): RollMemory {
    return { limits: this.#limits, next: this.#next };
  }

  servedWhenPlanned(traversalId: string, name: string): boolean {
    const planned = [this.#limits, this.#next].find((one) => one?.traversalId === traversalId);
    return planned?.serving.includes(name) === true;
  }

  /** `rows` are the members that the change may not leave out. */
  memberWritten(before: Resource | null, after: Resource, rows: readonly Resource[]): void {
    const { operation } = after;
    const isNext = operation !== null && operation.traversalId === this.#next?.traversalId;
    if (isNext && isAtWork(after) && this.#next !== null) {
      this.#limits = this.#next;
      this.#next = null;
    }
    // A failed member does not count against the roll, so the limits are lowered. Its former row
    // may still be in service.
    const isLost = !rows.some((row) => row.name === after.name && serves(row));
    const fails = after.status === "FAILED" && before?.status === "IN_PROGRESS";
    if ((fails || isGivenUp(after)) && isLost) {
      this.#limits = lowered(this.#limits);
      if (this.#next !== null) this.#next = lowered(this.#next);
    }
    this.#check(rows);
  }

  #check(rows: readonly Resource[]): void {
    const { floor, batch, grown } = this.#limits;
    const serving = namesOf(rows.filter(serves)).size;
    if (serving < floor) throw new Violation(`S29: ${serving} members serve, not ${floor}`);
    const atWork = namesOf(rows.filter((row) => isAtWork(row) && !grown.includes(row.name)));
    if (atWork.size > batch) {
      throw new Violation(`S29: ${[...atWork].join(" ")} are at work in batches of ${batch}`);
    }
  }
}
