/**
 * Matches by backtracking. The changes to undo and the alternatives to try are entries of a list
 * and not stack frames, so no text and no pattern makes the stack overflow.
 */
import { ASCII_LAST } from "./characters.ts";
import type { Program } from "./program.ts";

const ENTRIES_MAX = 2_000_000;
const ENTRIES_FIRST = 64;
const ENTRY_SIZE = 3;
/** The characters or entries that cost one step in tight loops. */
const CHARACTERS_A_STEP = 4;

export type Instruction = (machine: Machine) => boolean;

export class Machine {
  readonly codes: Int32Array;
  at = 0;
  next = 0;
  /** How far a run may shrink or grow when its instruction is retried. */
  limit = 0;
  readonly #budget: StepBudget;
  readonly #stepsACharacter: number;
  readonly #program: Program;
  readonly #registers: Int32Array;
  #entries = new Int32Array(ENTRIES_FIRST * ENTRY_SIZE);
  #height = 0;

  constructor(program: Program, codes: Int32Array, budget: StepBudget) {
    this.#program = program;
    this.codes = codes;
    this.#budget = budget;
    const isAscii = codes.every((code) => code <= ASCII_LAST);
    this.#stepsACharacter = isAscii ? 1 / CHARACTERS_A_STEP : 1;
    this.#registers = new Int32Array(program.registerCount).fill(-1);
  }

  spendOn(characters: number): void {
    this.#budget.spend(characters * this.#stepsACharacter);
  }

  register(number: number): number {
    return this.#registers[number] ?? -1;
  }

  set(register: number, value: number): void {
    this.#push(-1 - register, this.register(register), 0);
    this.#registers[register] = value;
  }

  /** Adds an alternative, to be tried if this way fails. */
  tryLater(instruction: number, at: number, limit = 0): void {
    this.#push(instruction, at, limit);
  }

  #push(what: number, value: number, limit: number): void {
    const end = this.#height * ENTRY_SIZE;
    if (end === this.#entries.length) this.#grow();
    this.#entries[end] = what;
    this.#entries[end + 1] = value;
    this.#entries[end + 2] = limit;
    this.#height += 1;
  }

  #grow(): void {
    if (this.#height >= ENTRIES_MAX) throw new PatternLimitError();
    const larger = new Int32Array(2 * this.#entries.length);
    larger.set(this.#entries);
    this.#entries = larger;
  }

  get height(): number {
    return this.#height;
  }

  /** Undoes everything since the list had this height. */
  takeBack(height: number): void {
    this.spendOn(this.#height - height);
    while (this.#height > height) this.#takeBackOne();
  }

  /** Drops the alternatives since that height. The changes can still be undone. */
  commit(height: number): void {
    this.spendOn(this.#height - height);
    let kept = height * ENTRY_SIZE;
    for (let at = kept; at < this.#height * ENTRY_SIZE; at += ENTRY_SIZE) {
      if ((this.#entries[at] ?? 0) >= 0) continue;
      for (let part = 0; part < ENTRY_SIZE; part += 1) {
        this.#entries[kept + part] = this.#entries[at + part] ?? 0;
      }
      kept += ENTRY_SIZE;
    }
    this.#height = kept / ENTRY_SIZE;
  }

  #takeBackOne(): boolean {
    this.#height -= 1;
    const entry = this.#height * ENTRY_SIZE;
    const what = this.#entries[entry] ?? 0;
    const value = this.#entries[entry + 1] ?? 0;
    if (what < 0) {
      this.#registers[-1 - what] = value;
      return true;
    }
    this.next = what;
    this.at = value;
    this.limit = this.#entries[entry + 2] ?? 0;
    return false;
  }

  #backtrack(): boolean {
    while (this.#height > 0) if (!this.#takeBackOne()) return true;
    return false;
  }

  #matchesAt(start: number, mustAdvance: boolean): boolean {
    const { instructions } = this.#program;
    this.at = start;
    this.next = 0;
    for (;;) {
      this.#budget.spend(1);
      const instruction = instructions[this.next];
      this.next += 1;
      if (instruction === undefined && !(mustAdvance && this.at === start)) return true;
      if (instruction?.(this) !== true && !this.#backtrack()) return false;
    }
  }

  #reset(): void {
    this.#height = 0;
    this.#registers.fill(-1);
  }

  match(): boolean {
    this.#reset();
    return this.#matchesAt(0, false);
  }

  search(from: number, mustAdvance: boolean): number {
    const { first } = this.#program;
    this.#reset();
    for (let start = from; start <= this.codes.length; start += 1) {
      if (first !== null) {
        const code = this.codes[start];
        this.spendOn(1);
        if (code === undefined || !first.has(code)) continue;
      }
      if (this.#matchesAt(start, mustAdvance && start === from)) return start;
    }
    return -1;
  }
}

/**
 * A step takes up to 0.1 µs.
 * @limit steps in which a regular expression looks at a value. The parameters of a template share
 * them
 * @beyond 400: the value is refused
 */
const STEPS_MAX = 1_000_000;

/** The message lacks the pattern, which the caller adds. */
export class PatternLimitError extends Error {
  override readonly name = "PatternLimitError";
}

export class StepBudget {
  taken = 0;

  spend(steps: number): void {
    this.taken += steps;
    if (this.taken > STEPS_MAX) throw new PatternLimitError();
  }
}
