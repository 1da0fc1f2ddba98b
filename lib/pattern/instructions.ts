import { type CharacterSet, type Folding, isSameCharacter, isWordCharacter } from "./characters.ts";
import type { Instruction, Machine } from "./machine.ts";
import { type Place, REPETITIONS_MAX, type Width } from "./tree.ts";

const NEWLINE = 10;

export const fail: Instruction = () => false;

export const character =
  (set: CharacterSet): Instruction =>
  (machine) => {
    const code = machine.codes[machine.at];
    machine.at += 1;
    return code !== undefined && set.has(code);
  };

const isAtWordEdge = ({ codes, at }: Machine, isAscii: boolean): boolean => {
  const isWord = (code: number | undefined): boolean =>
    code !== undefined && isWordCharacter(code, isAscii);
  return isWord(codes[at - 1]) !== isWord(codes[at]);
};

const isAtPlace = (machine: Machine, at: Place, isAscii: boolean): boolean => {
  const { codes } = machine;
  switch (at) {
    case "text_start":
      return machine.at === 0;
    case "line_start":
      return machine.at === 0 || codes[machine.at - 1] === NEWLINE;
    case "text_end":
      return machine.at === codes.length;
    case "line_end":
      return machine.at === codes.length || codes[machine.at] === NEWLINE;
    case "text_end_or_newline":
      return (
        machine.at === codes.length ||
        (machine.at === codes.length - 1 && codes[machine.at] === NEWLINE)
      );
    case "word_edge":
      return isAtWordEdge(machine, isAscii);
    // Before Python 3.14, `\B` never matches in an empty text.
    case "no_word_edge":
      return codes.length > 0 && !isAtWordEdge(machine, isAscii);
  }
};

export const place =
  (at: Place, isAscii: boolean): Instruction =>
  (machine) =>
    isAtPlace(machine, at, isAscii);

export const jump =
  (to: number): Instruction =>
  (machine) => {
    machine.next = to;
    return true;
  };

export const tryFirst =
  (other: number): Instruction =>
  (machine) => {
    machine.tryLater(other, machine.at);
    return true;
  };

export const mark =
  (register: number): Instruction =>
  (machine) => {
    machine.set(register, machine.at);
    return true;
  };

/** In a loop, a group may have begun again without an end, and then it has no span. */
export const spanOf = (machine: Machine, group: number): readonly [number, number] | null => {
  const start = machine.register(2 * group - 2);
  const end = machine.register(2 * group - 1);
  return start < 0 || end < start ? null : [start, end];
};

export const reference =
  (group: number, folding: Folding): Instruction =>
  (machine) => {
    const span = spanOf(machine, group);
    if (span === null) return false;
    const { codes } = machine;
    for (let at = span[0]; at < span[1]; at += 1) {
      const code = codes[machine.at];
      machine.at += 1;
      machine.spendOn(1);
      if (code === undefined || !isSameCharacter(code, codes[at] ?? 0, folding)) return false;
    }
    return true;
  };

export const unlessGroup =
  (group: number, other: number): Instruction =>
  (machine) => {
    if (spanOf(machine, group) === null) machine.next = other;
    return true;
  };

const lengthOfRun = (machine: Machine, set: CharacterSet, most: number): number => {
  const { codes, at } = machine;
  const end = Math.min(codes.length, at + most);
  let to = at;
  while (to < end && set.has(codes[to] ?? 0)) to += 1;
  machine.spendOn(to - at);
  return to - at;
};

/** Takes as many characters as possible. `shorterRun` gives some back, unless it is possessive. */
export const longestRun =
  (set: CharacterSet, { min, max }: Width): Instruction =>
  (machine) => {
    const length = lengthOfRun(machine, set, max);
    if (length < min) return false;
    machine.limit = machine.at + min;
    machine.at += length;
    return true;
  };

/** Skips places where the part after the run cannot begin. */
export const shorterRun =
  (after: CharacterSet | null): Instruction =>
  (machine) => {
    const { codes, limit, next } = machine;
    let { at } = machine;
    while (after !== null && at >= limit && !isIn(after, codes[at])) at -= 1;
    machine.spendOn(machine.at - at);
    if (at < limit) return false;
    if (at > limit) machine.tryLater(next - 1, at - 1, limit);
    machine.at = at;
    return true;
  };

const isIn = (set: CharacterSet, code: number | undefined): boolean =>
  code !== undefined && set.has(code);

/** Takes as few characters as allowed. The next instruction, `longerRun`, takes more on a retry. */
export const shortestRun =
  (set: CharacterSet, { min, max }: Width): Instruction =>
  (machine) => {
    if (lengthOfRun(machine, set, min) < min) return false;
    const { at } = machine;
    machine.at += min;
    const limit = Math.min(at + max, machine.codes.length);
    machine.tryLater(machine.next, machine.at, limit);
    machine.next += 1;
    return true;
  };

export const longerRun =
  (set: CharacterSet, after: CharacterSet | null): Instruction =>
  (machine) => {
    const { codes, limit, next } = machine;
    let { at } = machine;
    do {
      if (at >= limit || !isIn(set, codes[at])) break;
      at += 1;
    } while (after !== null && !isIn(after, codes[at]));
    machine.spendOn(at - machine.at);
    if (at === machine.at) return false;
    machine.tryLater(next - 1, at, limit);
    machine.at = at;
    return true;
  };

interface LoopRegisters {
  readonly count: number;
  readonly last: number;
}

interface Loop extends LoopRegisters, Width {
  readonly body: number;
  readonly turn: number;
}

export const beginLoop =
  ({ count, last }: LoopRegisters): Instruction =>
  (machine) => {
    machine.set(count, 0);
    machine.set(last, -1);
    return true;
  };

const repeatBody = (machine: Machine, { count, body }: Loop): void => {
  machine.set(count, machine.register(count) + 1);
  machine.next = body;
};

const mayRepeat = (machine: Machine, { count, last, max }: Loop): boolean =>
  (max === REPETITIONS_MAX || machine.register(count) < max) &&
  machine.at !== machine.register(last);

export const greedyTurn =
  (loop: Loop): Instruction =>
  (machine) => {
    const mustRepeat = machine.register(loop.count) < loop.min;
    if (!mustRepeat && !mayRepeat(machine, loop)) return true;
    if (!mustRepeat) {
      machine.tryLater(loop.turn + 1, machine.at);
      machine.set(loop.last, machine.at);
    }
    repeatBody(machine, loop);
    return true;
  };

export const lazyTurn =
  (loop: Loop): Instruction =>
  (machine) => {
    if (machine.register(loop.count) < loop.min) {
      repeatBody(machine, loop);
      return true;
    }
    if (mayRepeat(machine, loop)) machine.tryLater(loop.turn + 1, machine.at);
    machine.next = loop.turn + 2;
    return true;
  };

export const furtherTurn =
  (loop: Loop): Instruction =>
  (machine) => {
    machine.set(loop.last, machine.at);
    repeatBody(machine, loop);
    return true;
  };

export const keepHeight =
  (register: number): Instruction =>
  (machine) => {
    machine.set(register, machine.height);
    return true;
  };

export const cut =
  (register: number): Instruction =>
  (machine) => {
    machine.commit(machine.register(register));
    return true;
  };

interface LookRegisters {
  readonly height: number;
  readonly at: number;
}

export const beginLook =
  ({ height, at }: LookRegisters, back: number): Instruction =>
  (machine) => {
    if (machine.at < back) return false;
    machine.set(height, machine.height);
    machine.set(at, machine.at);
    machine.at -= back;
    return true;
  };

export const endLook =
  ({ height, at }: LookRegisters): Instruction =>
  (machine) => {
    machine.commit(machine.register(height));
    machine.at = machine.register(at);
    return true;
  };

export const beginRefusal =
  (height: number, back: number, end: number): Instruction =>
  (machine) => {
    if (machine.at < back) {
      machine.next = end;
      return true;
    }
    const before = machine.height;
    machine.tryLater(end, machine.at);
    machine.set(height, before);
    machine.at -= back;
    return true;
  };

export const refuse =
  (height: number): Instruction =>
  (machine) => {
    machine.takeBack(machine.register(height));
    return false;
  };
